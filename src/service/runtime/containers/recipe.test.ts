import { expect, test } from 'vitest'
import type { ProgramSpec } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { containerOf, LABELS } from './recipe.ts'

const MIB = 1024 * 1024
const FOLDER = '/data/servers/s'
const spec: ServerSpec = {
  ...{ id: 's', name: 'Meadow', folder: FOLDER, memoryMb: 2048, port: 25565, host: '127.0.0.1' },
  software: { id: 'paper', version: '1.21.4' },
}
const program: ProgramSpec = {
  ...{
    file: '/data/java/21/bin/java',
    args: ['-jar', 'paper.jar', 'nogui'],
    cwd: FOLDER,
    env: { TZ: 'UTC' },
  },
  reads: ['/data/java/21'],
}
const around = {
  image: `sha256:${'0'.repeat(64)}`,
  service: '/data',
  user: '1000:1000',
  network: 'wheelhouse-s',
}

interface Container {
  HostConfig: Record<string, unknown> & {
    Mounts: { Type: string; Source: string; Target: string; ReadOnly: boolean }[]
    Tmpfs: Record<string, string>
  }
  Env: string[]
}
const made = (
  more: Partial<ServerSpec> = {},
  of: Partial<ProgramSpec> = {},
  surroundings: Partial<typeof around> = {},
) => containerOf({ ...spec, ...more }, { ...program, ...of }, { ...around, ...surroundings }) as Container

test('runs the program as it is, as the user of the service, and names whose it is', () => {
  expect(made()).toMatchObject({
    Image: around.image,
    // An entrypoint of the image would come before it.
    Entrypoint: [program.file],
    Cmd: program.args,
    WorkingDir: FOLDER,
    User: '1000:1000',
    Labels: { [LABELS.service]: '/data', [LABELS.server]: 's' },
    ...{ Tty: false, OpenStdin: true, StdinOnce: false },
  })
  expect(made().Env).toEqual(['LANG=C.UTF-8', `HOME=${FOLDER}`, 'TZ=UTC'])
})

test('can write its own folder alone, and see nothing else but what its program reads', () => {
  const { HostConfig } = made({}, { reads: ['/data/java/21', '/data/libraries'] })
  expect(HostConfig.ReadonlyRootfs).toBe(true)
  const mounts = HostConfig.Mounts.map(({ Type, Source, Target, ReadOnly }) => [
    Type,
    Source,
    Target,
    ReadOnly,
  ])
  expect(mounts).toEqual([
    ['bind', FOLDER, FOLDER, false],
    ['bind', '/data/java/21', '/data/java/21', true],
    ['bind', '/data/libraries', '/data/libraries', true],
  ])
  expect(HostConfig.Mounts).toEqual(
    HostConfig.Mounts.map((one) => ({ ...one, BindOptions: { Propagation: 'rprivate' } })),
  )
  // In memory, and not without end.
  expect(HostConfig.Tmpfs).toEqual({
    '/tmp': expect.stringContaining(`nosuid,nodev,exec,mode=1777,size=${256 * MIB}`),
  })
  expect(made({}, { reads: undefined }).HostConfig.Mounts).toHaveLength(1)
})

test('gains no rights, and is not started again by the engine', () => {
  const { HostConfig } = made()
  expect(HostConfig).toMatchObject({
    ...{ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], RestartPolicy: { Name: 'no' }, Init: true },
  })
  for (const one of ['Privileged', 'CapAdd', 'Devices', 'PidMode', 'IpcMode', 'Binds', 'VolumesFrom'])
    expect(HostConfig).not.toHaveProperty(one)
})

test.each([
  [512, 589],
  [2047, 2355],
  [2048, 2253],
  [4095, 4505],
  [4096, 4301],
  [16_384, 17_204],
])('a server of %i MiB has %i MiB with what Java needs beside, and no swap', (memoryMb, most) => {
  const { Memory, MemorySwap } = made({ memoryMb }).HostConfig
  expect([Memory, MemorySwap]).toEqual([most * MIB, most * MIB])
})

test('is limited in processes, in cores where it is told so, and in the size of its log', () => {
  expect(made().HostConfig).toMatchObject({
    ...{ PidsLimit: 512, LogConfig: { Type: 'local', Config: { 'max-size': '32m', 'max-file': '3' } } },
  })
  expect(made().HostConfig).not.toHaveProperty('NanoCpus')
  expect(made({ cpus: null }).HostConfig).not.toHaveProperty('NanoCpus')
  expect(made({ cpus: 0.3 }).HostConfig.NanoCpus).toBe(300_000_000)
  // An engine takes whole numbers only, and 1.1e9 is none in binary.
  expect(made({ cpus: 1.000_000_000_7 }).HostConfig.NanoCpus).toBe(1_000_000_001)
})

test('is reached at its port alone, where its server listens, in a network of its own', () => {
  const one = made({ host: '10.0.0.5', port: 25570 })
  const bound = [{ HostIp: '10.0.0.5', HostPort: '25570' }]
  expect(one).toMatchObject({ ExposedPorts: { '25570/tcp': {}, '25570/udp': {} } })
  expect(one.HostConfig.NetworkMode).toBe('wheelhouse-s')
  expect(one.HostConfig.PortBindings).toEqual({ '25570/tcp': bound, '25570/udp': bound })
})

test('cut off, it has no network and no port', () => {
  const one = made({}, { isCutOff: true })
  expect(one.HostConfig.NetworkMode).toBe('none')
  expect(one.HostConfig).not.toHaveProperty('PortBindings')
  expect(one).not.toHaveProperty('ExposedPorts')
  expect(one.HostConfig.Mounts).toEqual(made().HostConfig.Mounts)
})

test('leaves the user to the image where the system has none', () => {
  expect(made({}, {}, { user: undefined })).not.toHaveProperty('User')
})
