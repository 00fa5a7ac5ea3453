import { expect, it } from 'vitest'
import { PanelProblem } from './problem.ts'
import { fsProblem } from './fs-problem.ts'

it.each([
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  new Error('ENOSPC: no space left on device, write'),
  new Error('database or disk is full'),
])('a full disk is told as one, also where it comes as text from a thread: %s', (error) => {
  const said = fsProblem(error, 'world.zip')
  expect(said).toBeInstanceOf(PanelProblem)
  expect((said as PanelProblem).problem).toMatchObject({
    code: 'too-large',
    message: expect.stringMatching(/^This computer's disk is full, so “world.zip”/),
  })
})

it('what is not known stays as it is', () => {
  const error = new Error('The disk of thoughts is full of sound.')
  expect(fsProblem(error, 'a')).toBe(error)
})
