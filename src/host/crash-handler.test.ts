import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

async function program(how: string) {
  const file = fileURLToPath(new URL('../../tests/doubles/programs/failing-program.ts', import.meta.url))
  const child = spawn(process.execPath, [file, how], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { said: said.trim().split('\n'), code: code as number | null }
}

it.each(['thrown', 'rejected'])(
  'an error that is %s and caught by nobody ends a program in order',
  async (how) => {
    expect(await program(how)).toEqual({
      said: ['logged: first', 'ending: first', 'logged: second', 'in order', 'ended: first'],
      code: 1,
    })
  },
)

it('a program that cannot end in order says so', async () => {
  expect(await program('cannot end')).toEqual({
    said: ['logged: first', 'ending: first', 'broken-off: first'],
    code: 1,
  })
})

it('a program that was still starting says that it has not started', async () => {
  expect(await program('starting')).toEqual({ said: ['not-started: first'], code: 1 })
})
