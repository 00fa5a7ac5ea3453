import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { signedIn } from './sftp.fixture.ts'

test.skipIf(NO_SFTP)(
  'a command line that a person gave starts the game, once it was shown to them',
  async () => {
    const { call, view, at, ref, files, restart } = await signedIn()
    const { connectionId } = ref
    const made = path.join(files, 'made by it')
    const lines = { start: `echo "$USER" > '${made}'`, stop: 'echo no such unit >&2; exit 5', restart: '' }
    await call('connections.set-power-lines', { connectionId, lines })
    const run = (action: keyof typeof lines, line: string) =>
      call('connections.run-power-line', { ...ref, action, line })
    await expect(run('start', 'echo other')).rejects.toMatchObject({ problem: { code: 'refused' } })
    await expect(run('restart', 'reboot')).rejects.toMatchObject({ problem: { code: 'refused' } })
    expect(existsSync(made)).toBe(false)
    await run('start', lines.start)
    expect(readFileSync(made, 'utf8')).toBe('root\n')
    await expect(run('stop', lines.stop)).rejects.toMatchObject({
      problem: {
        serviceCode: 'sftp.line-said',
        message: 'The command ended with 5: “no such unit” Try it in a terminal of the host.',
      },
    })
    // Nothing else runs it unasked.
    const { value } = await view('servers.read', at, true)
    expect((value?.role as string[]).filter((scope) => scope.startsWith('control.'))).toEqual([])

    const again = await restart()
    expect(await again.call('connections.power-lines', { connectionId })).toEqual(lines)
    await again.call('connections.sign-out', { connectionId })
    expect(await again.call('connections.power-lines', { connectionId })).toEqual({
      start: '',
      stop: '',
      restart: '',
    })
  },
)

test.skipIf(NO_SFTP)('a host that allows files alone runs nothing, and that is said', async () => {
  const { ref, folder, restart } = await signedIn()
  const key = readFileSync(path.join(folder, 'own-key.pub'), 'utf8')
  writeFileSync(path.join(folder, 'accepted'), `command="internal-sftp" ${key}`)
  const { call } = await restart()
  const lines = { start: 'true', stop: '', restart: '' }
  await call('connections.set-power-lines', { connectionId: ref.connectionId, lines })
  await expect(
    call('connections.run-power-line', { ...ref, action: 'start', line: 'true' }),
  ).rejects.toMatchObject({ problem: { serviceCode: 'sftp.no-commands' } })
})
