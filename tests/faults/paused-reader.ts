/**
 * A reader of the event stream stops reading for a while, during which the server prints without pause. The service must
 * not grow, the server must not be slowed, and the reader must catch up without losing a line.
 *
 *   node tests/faults/paused-reader.ts [seconds = 60] [lines a second = 20000] [warm-up seconds = 5]
 *
 * The service runs in a process of its own, so that its memory is measured alone: resident bytes as the system counts
 * them, once a second.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { findProcess } from '../../src/service/runtime/processes/process-table.ts'
import { tempFolder } from '../../src/service/runtime/runtime.fixture.ts'

const seconds = Number(process.argv[2] ?? 60)
const perSecond = Number(process.argv[3] ?? 20_000)
const warmUp = Number(process.argv[4] ?? 5)
const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)

ownRunFolder()
const folder = await tempFolder()
const fixture = new URL('../../src/service/runtime/runtime.fixture.ts', import.meta.url).href
const program = `
  const { RuntimeFixture } = await import(${JSON.stringify(fixture)})
  const it = await RuntimeFixture.open({ dataDir: ${JSON.stringify(folder.path)} })
  await it.add('a')
  await it.power('a', 'start')
  await it.until('a', 'online')
  console.log(it.baseUrl)
  process.once('SIGTERM', () => void it.close().then(() => process.exit(0)))
`
// As the service is to be started: V8 otherwise doubles the space for new objects after a while of steady work, from 16
// to 32 MB and more, with a reader that waits or without.
const service = spawn(process.execPath, ['--max-semi-space-size=8', '--input-type=module', '-e', program], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [baseUrl] = (await once(createInterface({ input: service.stdout }), 'line')) as [string]
const use = async () => {
  const row = await findProcess(service.pid!)
  if (!row) throw new Error('The service has ended')
  return row
}
const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
async function command(text: string): Promise<void> {
  const body = JSON.stringify({ command: text })
  const answer = await fetch(`${baseUrl}/servers/command/a`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

const answer = await new Promise<IncomingMessage>((resolve) =>
  get(`${baseUrl}/servers/events?servers=a&after=a:1-0`, { headers }, resolve),
)
let read = 0
let lost = 0
let next = 1
let rest = ''
let told: (verdict: string) => void = () => undefined
answer.setEncoding('utf8')
answer.on('data', (text: string) => {
  const events = (rest + text).split('\n\n')
  rest = events.pop()!
  for (const event of events) {
    if (event.startsWith('event: gap')) console.log(event)
    if (!event.startsWith('event: lines')) continue
    const { lines } = JSON.parse(event.slice(event.indexOf('data: ') + 6)) as {
      lines: { id: string; text: string }[]
    }
    for (const line of lines) {
      const seq = Number(line.id.split('-')[1])
      lost += seq - next
      next = seq + 1
      read++
      if (/Rate of \d+ a second/.test(line.text)) told(line.text)
    }
  }
})

// The flow itself needs some memory, reader or not: it is measured from a service that has seen lines before.
const warm = new Promise<string>((resolve) => (told = resolve))
await command(`rate ${perSecond} ${warmUp}`)
await warm
await wait(1000)
const verdict = new Promise<string>((resolve) => (told = resolve))
const before = await use()
let highest = before.bytes
const readBefore = read
answer.pause()
await command(`rate ${perSecond} ${seconds}`)
const start = performance.now()
while (performance.now() - start < seconds * 1000) {
  await wait(1000)
  highest = Math.max(highest, (await use()).bytes)
}
const after = await use()
const growth = highest - before.bytes
console.log(`while paused for ${((performance.now() - start) / 1000).toFixed(1)} s`)
console.log(`  lines that reached the reader meanwhile: ${read - readBefore}`)
console.log(
  `  RSS of the service ${mib(before.bytes)} MiB, highest ${mib(highest)} MiB: growth ${mib(growth)} MiB`,
)
console.log(`  CPU of the service: ${((after.cpuMs - before.cpuMs) / seconds / 10).toFixed(1)} % of a core`)
const resumed = performance.now()
answer.resume()
console.log(`then\n  ${await verdict}`)
console.log(`  caught up in ${((performance.now() - resumed) / 1000).toFixed(2)} s`)
console.log(`  RSS of the service after it: ${mib((await use()).bytes)} MiB`)
const expected = perSecond * (seconds + warmUp)
console.log(`lines produced: ${next - 1}, read: ${read}, lost: ${lost}`)
answer.destroy()
service.kill('SIGTERM')
await once(service, 'exit')
await folder.remove()
const reached = lost === 0 && read >= expected && growth <= 20 * 1024 * 1024
console.log(reached ? 'reached' : 'not reached')
process.exit(reached ? 0 : 1)
