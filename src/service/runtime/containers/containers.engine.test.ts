import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DockerEngine } from '../../../../tests/fixtures/docker-engine.ts'
import { findFreePort } from '../../base/host.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import { ContainerDriver } from './container-driver.ts'
import type { EngineSettings } from './engine.ts'
import { ended, nobody, OutputProbe, serverOf } from './containers.fixture.ts'
import { containerName } from './recipe.ts'

let engine: DockerEngine
let settings: EngineSettings

beforeAll(async () => {
  engine = await DockerEngine.open(['--live-restore'])
  settings = { address: engine.address, tls: null, image: await engine.image() }
})
afterAll(() => engine.close())

const log = pino({ level: 'silent' })
const driverOf = (service: string, more: Partial<EngineSettings> = {}) =>
  ContainerDriver.create({ ...settings, ...more }, { service, servers: new Map(), log })

test('a program runs in its container with what it is given, and nothing else', async () => {
  const driver = await driverOf('/one')
  const script = `
    import { readdirSync, writeFileSync } from 'node:fs'
    process.stderr.write('to stderr\\n')
    const tried = (name, work) => { try { console.log(name, work()) } catch (error) { console.log(name, error.code) } }
    tried('own', () => writeFileSync('own.txt', 'mine') ?? 'written')
    tried('root', () => writeFileSync('/evil', 'x') ?? 'written')
    tried('host', () => readdirSync('/root').length)
    tried('socket', () => readdirSync('/var/run').length)
    process.stdin.setEncoding('utf8').on('data', (text) => {
      console.log('heard', text.trim())
      if (text.trim() === 'stop') process.exit(0)
    })
    console.log('ready')`
  const { spec, program } = serverOf(script)
  const heard = new OutputProbe()
  const running = await driver.start(spec, program, heard.take, nobody)
  // The engine reads what goes to stderr and stdout apart, so neither says that the other was heard.
  await heard.until('to stderr')
  await heard.until('ready')
  expect(heard.lines).toEqual(
    expect.arrayContaining(['own written', 'root EROFS', 'host ENOENT', 'socket ENOENT']),
  )
  expect(readFileSync(path.join(spec.folder, 'own.txt'), 'utf8')).toBe('mine')
  await expect.poll(() => running.write('hello')).toBe(true)
  await heard.until('heard hello')
  expect(await running.usage()).toMatchObject({ memoryBytes: expect.any(Number) as number })
  running.stop('stop', { commandMs: 20_000, termMs: 5_000 }, nobody)
  expect(await ended(running)).toMatchObject({ exitCode: 0, isOverMemory: false })
  await expect.poll(() => engine.docker('ps', '-aq')).toBe('')
  await driver.close()
})

test('servers start at once on an engine that had none before', async () => {
  const driver = await driverOf('/at-once')
  await engine.docker('network', 'rm', 'wheelhouse-nowhere')
  const programs = await Promise.all(
    Array.from({ length: 6 }, () => {
      const { spec, program } = serverOf('process.stdin.resume()')
      return driver.start(spec, program, nobody, nobody)
    }),
  )
  for (const program of programs) {
    program.kill()
    await ended(program)
  }
  await driver.close()
})

test('a service that was gone misses no line and hears none twice', async () => {
  const first = await driverOf('/two')
  const { spec, program } = serverOf(`
    let at = 0
    setInterval(() => { for (let n = 0; n < 50; n++) console.log('line', at++) }, 5)
    process.stdin.resume()`)
  const before = new OutputProbe()
  const left = await first.start(spec, program, before.take, nobody)
  await before.until('line 500')
  await left.leave!()
  await first.close()

  const second = await driverOf('/two')
  const survivor = second.survivors.get(spec.id)
  if (survivor?.kind !== 'running') throw new Error('It was not found.')
  const after = new OutputProbe()
  const running = survivor.resume(after.take, Promise.resolve(before.last))
  await after.until('line 5000')
  const lines = [...before.lines, ...after.lines]
  expect(lines).toEqual(lines.map((_, at) => `line ${at}`))
  running.kill()
  await ended(running)
  await second.close()
})

test('one that ended with its computer is known to have, with its last lines', async () => {
  const first = await driverOf('/away')
  const { spec, program } = serverOf(`
    console.log('first')
    process.on('SIGTERM', () => { console.log('saved'); process.exit(143) })
    process.stdin.resume()`)
  const before = new OutputProbe()
  const left = await first.start(spec, program, before.take, nobody)
  await before.until('first')
  await left.leave!()
  await first.close()
  await engine.docker('stop', containerName(spec.id))

  const second = await driverOf('/away')
  const survivor = second.survivors.get(spec.id)
  if (survivor?.kind !== 'running') throw new Error('It was not found.')
  const after = new OutputProbe()
  const running = survivor.resume(after.take, Promise.resolve(before.last))
  expect(await ended(running)).toMatchObject({ exitCode: 143, isAway: true })
  await running.known
  expect(after.lines).toEqual(['saved'])
  await second.close()
})

test('an engine elsewhere is reached by certificates alone', async () => {
  const port = await findFreePort('127.0.0.1', new Set(), 24_000)
  const folder = temporary()
  // One certificate that is its own authority, of the engine and of the service.
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'engine' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  for (const [name, text] of Object.entries({ ca: cert, cert, key }))
    writeFileSync(path.join(folder, `${name}.pem`), text)
  const remote = await DockerEngine.open([
    ...[
      '--bridge=none',
      '-H',
      `tcp://127.0.0.1:${port}`,
      '--tlsverify',
      '--tlscacert',
      path.join(folder, 'ca.pem'),
    ],
    ...['--tlscert', path.join(folder, 'cert.pem'), '--tlskey', path.join(folder, 'key.pem')],
  ])
  onTestFinished(() => remote.close())
  const more = { address: `tcp://127.0.0.1:${port}`, image: await remote.image() }
  const driver = await driverOf('/tls', { ...more, tls: { ca: cert, cert, key } })
  const { spec, program } = serverOf(`console.log('hello')`)
  const heard = new OutputProbe()
  await ended(await driver.start(spec, program, heard.take, nobody))
  expect(heard.lines).toEqual(['hello'])
  const stranger = await driverOf('/tls', { ...more, tls: { ca: cert, cert: '', key: '' } })
  await expect(stranger.start(spec, program, nobody, nobody)).rejects.toMatchObject({
    code: 'engine.not-reached',
  })
  for (const one of [driver, stranger]) await one.close()
})

test('an engine that was killed misses no line either, and the program runs on', async () => {
  const driver = await driverOf('/three')
  const { spec, program } = serverOf(`
    let at = 0
    setInterval(() => console.log('line', at++), 5)
    process.stdin.resume()`)
  const heard = new OutputProbe()
  const running = await driver.start(spec, program, heard.take, nobody)
  await heard.until('line 100')
  await engine.end('SIGKILL')
  await engine.start()
  const { length } = heard.lines
  await heard.until(`line ${length + 1000}`)
  expect(heard.lines).toEqual(heard.lines.map((_, at) => `line ${at}`))
  await expect.poll(() => running.write('x')).toBe(true)
  running.kill()
  await ended(running)
  await driver.close()
})

test('a program that is killed while its engine is away ends once the engine is back', async () => {
  const driver = await driverOf('/killed-away')
  const { spec, program } = serverOf(`console.log('ready'); process.stdin.resume()`)
  const heard = new OutputProbe()
  const running = await driver.start(spec, program, heard.take, nobody)
  await heard.until('ready')
  await engine.end('SIGKILL')
  running.kill()
  await engine.start()
  expect(await ended(running)).toMatchObject({ exitCode: 137 })
  await driver.close()
})

test('limits hold, and using more memory than there is ends it with its reason', async () => {
  const driver = await driverOf('/four')
  const { spec, program } = serverOf(`
    const kept = []
    setInterval(() => kept.push(Buffer.alloc(16 * 1024 * 1024, 1)), 10)`)
  const running = await driver.start(spec, program, nobody, nobody)
  expect(await ended(running)).toMatchObject({ exitCode: 137, isOverMemory: true })
  await driver.close()
})

test('it may use other cores while it runs', async () => {
  const driver = await driverOf('/cores')
  const { spec, program } = serverOf('process.stdin.resume()', { cpus: 0.5 })
  const running = await driver.start(spec, program, nobody, nobody)
  const cores = () => engine.docker('inspect', '-f', '{{.HostConfig.NanoCpus}}', containerName(spec.id))
  expect(await cores()).toBe('500000000')
  await running.useCores!(0.25)
  expect(await cores()).toBe('250000000')
  await running.useCores!(null)
  expect(Number(await cores())).toBe(availableParallelism() * 1e9)
  running.kill()
  await ended(running)
  await driver.close()
})

test.each([
  ['an image that is not there', { image: `sha256:${'0'.repeat(64)}` }, 'engine.no-image'],
  ['no engine', { address: 'unix:///nowhere/docker.sock' }, 'engine.not-reached'],
])('%s is told in a sentence', async (_what, more, code) => {
  const driver = await driverOf('/five', more)
  const { spec, program } = serverOf('')
  await expect(driver.start(spec, program, nobody, nobody)).rejects.toMatchObject({ code })
  await driver.close()
})
