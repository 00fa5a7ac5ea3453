import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { Software } from '../software/software.ts'
import { readSign } from '../worlds/logs/log-lines.ts'
import { RuntimeFixture, tempFolder } from './runtime.fixture.ts'

/** Prints its first argument (Base64), then exits with its second, or waits for `stop`. */
const PRINTER = `
const [text, code] = process.argv.slice(1)
process.stdout.write(Buffer.from(text, 'base64'))
if (code !== undefined) process.exitCode = Number(code)
else process.stdin.on('data', (data) => String(data).includes('stop') && process.exit(0))
`

/** Starts a server that prints a text. Without an exit code it runs until it is stopped. */
async function prints(text: string, exitCode?: number): Promise<RuntimeFixture> {
  const printer: Software = {
    ...{ id: 'printer', name: 'Printer', description: 'Prints.', stopCommand: 'stop', maxPlayers: 20 },
    versions: async () => [{ id: '1', recommended: true }],
    readSign,
    async program({ folder }) {
      mkdirSync(folder, { recursive: true })
      const args = ['-e', PRINTER, Buffer.from(text).toString('base64')]
      return {
        ...{ file: process.execPath, cwd: folder, env: {} },
        args: exitCode === undefined ? args : [...args, String(exitCode)],
      }
    },
  }
  const folder = await tempFolder()
  const it = await RuntimeFixture.open({ dataDir: folder.path, software: [printer] })
  onTestFinished(async () => {
    await it.close()
    await folder.remove()
  })
  await it.add('a', { software: { id: 'printer', version: '1' } })
  await it.order('a', 'start')
  return it
}

const names = (it: RuntimeFixture) => it.runtime.players('a')?.names

test('prompts, carriage returns and erase sequences hide neither that a server is ready nor who joins', async () => {
  const it = await prints(
    [
      '>\u001b[2K\r[12:00:00 INFO]: Done (3.2s)! For help, type "help"',
      '>....\r[12:00:01 INFO]: Alex joined the game',
      '[12:00:02 INFO]: Bob joined the game\u001b[K',
      '> \u001b[1G\u001b[K[12:00:03 INFO]: Bob left the game\r\u001b[K> ',
      '\u001b[?2004h> \b\b[12:00:04 INFO]: \u001b[93mEve joined the game\u001b[0m\r\r',
      '',
    ].join('\n'),
  )
  await it.until('a', 'online')
  await expect.poll(() => names(it)).toEqual(['Alex', 'Eve'])
  // The console still shows what was printed.
  expect((await it.line('a', /Alex joined/)).text).toBe('>....\r[12:00:01 INFO]: Alex joined the game')
})

test('the cause of a crash is found behind a prompt, and shown without it', async () => {
  const it = await prints(
    [
      '>....\r[12:00:00 INFO]: Starting',
      '> \u001b[Kjava.lang.OutOfMemoryError: Java heap space\u001b[K\r',
      '',
    ].join('\n'),
    1,
  )
  await it.until('a', 'crashed')
  expect(it.runtime.crash('a')).toMatchObject({
    ...{ cause: 'out-of-memory', evidence: 'java.lang.OutOfMemoryError: Java heap space' },
  })
})

test('players are counted by Minecraft’s own lines, even when a plugin replaces the join message', async () => {
  const it = await prints(
    [
      '[12:00:00] [Server thread/INFO]: Done (3.2s)! For help, type "help"',
      '[12:00:01] [User Authenticator #1/INFO]: UUID of player Alex is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
      '[12:00:02] [Server thread/INFO]: Alex[/192.0.2.5:50123] logged in with entity id 261 at ([world]1.5, 64.0, 8.5)',
      '[12:00:02] [Server thread/INFO]: [+] Alex',
      '[12:00:03] [Server thread/INFO]: Newname (formerly known as Oldname) joined the game',
      '[12:00:04] [Server thread/INFO]: Eve[/192.0.2.6:50123] logged in with entity id 262 at ([world]1.5, 64.0, 8.5)',
      '[12:00:04] [Server thread/INFO]: Eve joined the game',
      '[12:00:05] [Server thread/INFO]: Eve lost connection: Timed out',
      '[12:00:05] [Server thread/INFO]: [-] Eve',
      '',
    ].join('\n'),
  )
  await it.until('a', 'online')
  await expect.poll(() => names(it)).toEqual(['Alex', 'Newname'])
})

test('players are counted by the names in the log, with symbols, prefixes and spaces', async () => {
  const it = await prints(
    [
      '[12:00:00] [Server thread/INFO]: Done (3.2s)! For help, type "help"',
      '[12:00:01] [Server thread/INFO]: Yoooo+ joined the game',
      '[12:00:02] [Server thread/INFO]: my-name joined the game',
      '[12:00:03] [Server thread/INFO]: .The Guy 123 joined the game',
      '',
    ].join('\n'),
  )
  await it.until('a', 'online')
  await expect.poll(() => names(it)).toEqual(['Yoooo+', 'my-name', '.The Guy 123'])
})
