import { create } from 'zustand'

/** Whether the server is in maintenance and refuses all calls, as far as this page knows. */
const useState = create(() => ({ isOn: false }))

export const useIsInMaintenance = (): boolean => useState(({ isOn }) => isOn)

export function setMaintenance(isOn: boolean): void {
  useState.setState({ isOn })
}
