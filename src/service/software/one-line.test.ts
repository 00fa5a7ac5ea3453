import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished, expect, test } from 'vitest'

// What the contract refuses may still come from a program that writes to a server by itself.
test('a server of ours takes U+2028 in a command for what it is: a character, and no second command', async () => {
  const launcher = fileURLToPath(new URL('../../../tests/doubles/flood.ts', import.meta.url))
  const server = spawn(process.execPath, [launcher], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  let printed = ''
  server.stdout.on('data', (piece: Buffer) => (printed += String(piece)))
  await once(createInterface(server.stdout), 'line')
  server.stdin.end('say one\u2028say two\u2029say three\nsay four\n')
  await once(server, 'close')
  expect(printed.match(/\[Server\] [^\n]*/gu)).toEqual([
    '[Server] one\u2028say two\u2029say three',
    '[Server] four',
  ])
})
