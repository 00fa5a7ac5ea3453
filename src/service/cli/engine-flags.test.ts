import { Command } from 'commander'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { StartProblem } from '../../host/start-problem.ts'
import { engineSettings, withEngine, type EngineFlags } from './engine-flags.ts'

const DIGEST = `sha256:${'0a'.repeat(32)}`
const image = `eclipse-temurin@${DIGEST}`
const docker = 'unix:///var/run/docker.sock'
/** Windows has none. */
const hasUsers = process.getuid !== undefined

const runAs = (uid: number) => hasUsers && vi.spyOn(process, 'getuid').mockReturnValue(uid)

beforeEach(() => void runAs(1000))
afterEach(() => vi.restoreAllMocks())

/** Why the service doesn't start. */
function problemOf(flags: EngineFlags): string | null {
  try {
    engineSettings(flags)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(StartProblem)
    expect((error as StartProblem).code).toBe('arguments')
    return (error as StartProblem).message
  }
}

function certificates(names: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) writeFileSync(path.join(folder, name), `the ${name}`)
  return folder
}

test('without an image there are no containers, whatever else is set', () => {
  expect(engineSettings({ docker: 'not even an address' })).toBeNull()
  if (hasUsers) runAs(0)
  expect(engineSettings({ docker })).toBeNull()
})

test.each([image, DIGEST, `registry.example:5000/a/b_c-d:21-jre@${DIGEST}`])('takes %s as it is', (one) => {
  expect(engineSettings({ dockerImage: one, docker })).toEqual({ address: docker, image: one, tls: null })
})

test.each([
  ...['', 'eclipse-temurin', 'eclipse-temurin:21', 'eclipse-temurin@sha256:0a', `@${DIGEST}`],
  ...[`${image}0`, image.toUpperCase(), `${image}\n`, `--privileged@${DIGEST}`, `a b@${DIGEST}`],
])('refuses the image %j, which may become another one', (one) => {
  expect(problemOf({ dockerImage: one, docker })).toBe(
    `--docker-image: ${one} has no digest. Name it as name@sha256:…, so that it stays the same one.`,
  )
})

test.skipIf(!hasUsers)('refuses to run as root, which servers would then be too', () => {
  expect(problemOf({ dockerImage: image, docker })).toBeNull()
  runAs(0)
  expect(problemOf({ dockerImage: image, docker })).toMatch(/^Servers in containers would run as root/)
})

test.skipIf(process.getuid?.() !== 0)('means the user that it really runs as', () => {
  vi.restoreAllMocks()
  expect(problemOf({ dockerImage: image, docker })).toMatch(/^Servers in containers would run as root/)
})

test.each(['', '/var/run/docker.sock', 'http://10.0.0.5:2375', 'ssh://me@host', 'tcp:10.0.0.5', 'tcp://a b'])(
  'refuses the address %j',
  (one) => {
    expect(problemOf({ dockerImage: image, docker: one, dockerCerts: '/nowhere' })).toBe(
      `--docker: ${one} is no address. It begins with unix://, npipe:// or tcp://.`,
    )
  },
)

test('an engine elsewhere needs certificates, all of them, and gets them', () => {
  const flags = { dockerImage: image, docker: 'tcp://10.0.0.5:2376' }
  expect(problemOf(flags)).toBe(
    '--docker: tcp://10.0.0.5:2376 needs --docker-certs: without certificates anybody could use the engine.',
  )
  const some = certificates(['ca.pem', 'cert.pem'])
  expect(problemOf({ ...flags, dockerCerts: some })).toBe(
    `--docker-certs: ${path.join(some, 'key.pem')} cannot be read.`,
  )
  expect(engineSettings({ ...flags, dockerCerts: certificates(['ca.pem', 'cert.pem', 'key.pem']) })).toEqual({
    ...{ address: 'tcp://10.0.0.5:2376', image },
    tls: { ca: 'the ca.pem', cert: 'the cert.pem', key: 'the key.pem' },
  })
})

test('an engine of this computer needs none, and reads none', () => {
  for (const address of [docker, 'npipe:////./pipe/docker_engine'])
    expect(engineSettings({ dockerImage: image, docker: address, dockerCerts: '/nowhere' })).toMatchObject({
      ...{ address, tls: null },
    })
})

test('nodes of a Swarm are reached with certificates alone', () => {
  const flags = { dockerImage: image, docker, dockerSwarm: true as const }
  expect(problemOf(flags)).toBe(
    '--docker-swarm needs --docker-certs: the engines of its nodes are reached with certificates alone.',
  )
  const tls = { ca: 'the ca.pem', cert: 'the cert.pem', key: 'the key.pem' }
  expect(engineSettings({ ...flags, dockerCerts: certificates(['ca.pem', 'cert.pem', 'key.pem']) })).toEqual({
    ...{ address: docker, image, tls: null, swarm: { tls } },
  })
})

test('finds the engine where its own tools do, unless it is told of another', () => {
  vi.stubEnv('DOCKER_HOST', 'tcp://10.0.0.5:2376')
  vi.stubEnv('DOCKER_CERT_PATH', '/certificates')
  onTestFinished(() => void vi.unstubAllEnvs())
  const read = (...flags: string[]) => withEngine(new Command()).parse(flags, { from: 'user' }).opts()
  expect(read()).toEqual({ docker: 'tcp://10.0.0.5:2376', dockerCerts: '/certificates' })
  expect(read('--docker', docker, '--docker-image', image)).toMatchObject({ docker, dockerImage: image })
})
