import { create } from 'zustand'

/** Whether the server refuses everything because its operator works on it, as far as this page has heard. */
const useState = create(() => ({ isOn: false }))

export const useIsInMaintenance = (): boolean => useState(({ isOn }) => isOn)

export function noteMaintenance(isOn: boolean): void {
  useState.setState({ isOn })
}
