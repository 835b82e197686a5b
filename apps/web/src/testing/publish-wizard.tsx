import { screen, within } from '@testing-library/react'

export const faces = ['/api/faces/one.svg', '/api/faces/two.svg', '/api/faces/three.svg']
export const images = {
  'GET /v1/assistants/images': () => ({ status: 200, body: { data: faces.map((url) => ({ url })) } }),
}

export const wizard = () => screen.getByRole('dialog', { name: 'New agent' })
export const button = (name: string) => within(wizard()).getByRole('button', { name })
export const field = (name: string) => within(wizard()).getByRole('textbox', { name })
export const step = () => wizard().querySelector('[aria-current=step]')?.textContent
