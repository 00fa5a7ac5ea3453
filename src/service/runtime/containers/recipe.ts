import type { ProgramSpec } from '../programs/driver.ts'
import type { EngineInfo } from './engine.ts'
import type { ServerSpec } from '../types.ts'

export const LABELS = {
  /** The folder of the service whose server it runs. */
  service: 'wheelhouse.service',
  server: 'wheelhouse.server',
  /** On a network between a proxy and one of its servers: that server. */
  behind: 'wheelhouse.behind',
} as const

export const containerName = (serverId: string): string => `wheelhouse-${serverId}`

const MIB = 1024 * 1024
export const PIDS_MOST = 512
export const STOP_SECONDS = 60
export const TEMPORARY_BYTES = 256 * MIB
/** An engine's own grows without bound. */
export const LOG = { Type: 'local', Config: { 'max-size': '32m', 'max-file': '3' } }
/** Podman has its own names. */
const PODMAN_LOG = { Type: 'k8s-file', Config: { 'max-size': '96m' } }

export const logOf = ({ Plugins }: Pick<EngineInfo, 'Plugins'>): typeof LOG | typeof PODMAN_LOG =>
  Plugins?.Log?.includes(PODMAN_LOG.Type) ? PODMAN_LOG : LOG

interface Surroundings {
  image: string
  /** The folder of the service. */
  service: string
  /** `uid:gid`; absent: the image's. */
  user?: string | undefined
  network: string
  /** Absent: as Docker's. */
  log?: ReturnType<typeof logOf>
}

/** Of `POST /containers/create`. Only the server's folder can be written, and nothing but its port is reached. */
export function containerOf(
  { id, memoryMb, port, host, cpus }: ServerSpec,
  { file, args, cwd, env, reads = [], isCutOff }: ProgramSpec,
  { image, service, user, network, log = LOG }: Surroundings,
): object {
  const memory = memoryWithRoom(memoryMb)
  const gamePorts = [`${port}/tcp`, `${port}/udp`]
  return {
    Image: image,
    Entrypoint: [file],
    Cmd: args,
    WorkingDir: cwd,
    Env: Object.entries({ LANG: 'C.UTF-8', HOME: cwd, ...env }).map(([name, value]) => `${name}=${value}`),
    ...(user && { User: user }),
    Labels: { [LABELS.service]: service, [LABELS.server]: id },
    // When the engine ends, worlds are saved first.
    StopTimeout: STOP_SECONDS,
    ...{ Tty: false, OpenStdin: true, StdinOnce: false, AttachStdin: true },
    ...(isCutOff ? {} : { ExposedPorts: Object.fromEntries(gamePorts.map((one) => [one, {}])) }),
    HostConfig: {
      Mounts: [mount(cwd, false), ...reads.map((one) => mount(one, true))],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': `rw,nosuid,nodev,exec,mode=1777,size=${TEMPORARY_BYTES}` },
      SecurityOpt: ['no-new-privileges'],
      CapDrop: ['ALL'],
      Memory: memory,
      // The same: no swap.
      MemorySwap: memory,
      PidsLimit: PIDS_MOST,
      ...(cpus && { NanoCpus: Math.round(cpus * 1e9) }),
      Init: true,
      RestartPolicy: { Name: 'no' },
      LogConfig: log,
      NetworkMode: isCutOff ? 'none' : network,
      ...(!isCutOff && {
        PortBindings: Object.fromEntries(
          gamePorts.map((one) => [one, [{ HostIp: host, HostPort: String(port) }]]),
        ),
      }),
    },
  }
}

export const mount = (folder: string, readOnly: boolean) => ({
  ...{ Type: 'bind', Source: folder, Target: folder, ReadOnly: readOnly },
  BindOptions: { Propagation: 'rprivate' },
})

/** Bytes. Java needs memory beside its heap: its own, its threads', and what plugins map. */
export function memoryWithRoom(memoryMb: number): number {
  const share = memoryMb < 2048 ? 1.15 : memoryMb < 4096 ? 1.1 : 1.05
  return Math.ceil(memoryMb * share) * MIB
}
