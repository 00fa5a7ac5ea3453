import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporary } from '../../../host/temporary.fixture.ts'
import { Fence, FENCED } from './fence.ts'

/** `cat`, as a container would run it: it goes on until its input ends. */
function fenced(fence: Fence, claim: string) {
  const program = spawn('sh', ['-c', FENCED, 'sh', fence.folder, claim, 'cat'], {
    env: { ...process.env, WHEELHOUSE_NODE: 'node-1', WHEELHOUSE_TASK: 'task' },
  })
  return { program, ended: once(program, 'exit') }
}

test.skipIf(process.platform === 'win32')(
  'one program of a claim begins, and it ends when the claim is taken from it',
  async () => {
    const fence = new Fence(temporary(), 'one')
    const claim = await fence.claim()
    const { program, ended } = fenced(fence, claim)
    program.stdin.write('hello\n')
    expect(String((await once(program.stdout, 'data'))[0])).toBe('hello\n')
    expect(await fenced(fence, claim).ended).toEqual([75, null])
    expect(await fenced(fence, 'an older one').ended).toEqual([75, null])
    const taken = fence.take()
    expect(await ended).toEqual([null, 'SIGKILL'])
    await taken
    expect(existsSync(fence.folder)).toBe(false)
  },
)

test('where no Swarm has run a server, nothing is waited for or left behind', async () => {
  const service = temporary()
  mkdirSync(service, { recursive: true })
  const fence = new Fence(service, 'two')
  await fence.take()
  expect(existsSync(fence.folder)).toBe(false)
})
