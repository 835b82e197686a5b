import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Avatar } from './avatar'

const draw = (seed: string): string => renderToStaticMarkup(<Avatar seed={seed} name="" size={40} />)

it('the same seed is the same face, and similar seeds are different ones', () => {
  expect(draw('Clause Reader')).toBe(draw('Clause Reader'))
  expect(new Set(Array.from({ length: 200 }, (_, index) => draw(`agent ${index}`))).size).toBeGreaterThan(190)
})

it('is a picture with a name, or an ornament beside one', () => {
  expect(renderToStaticMarkup(<Avatar seed="a" name="Marina" size={40} />)).toContain('role="img" aria-label="Marina"')
  expect(draw('a')).toContain('aria-hidden="true"')
})
