import { screen, within } from '@testing-library/react'

export const main = () => within(screen.getByRole('main'))

/** A section of the page, by its heading. */
export const group = async (name: string) => within(await main().findByRole('group', { name }))
