import type { ProgramSpec } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { FENCED } from './fence.ts'
import {
  containerName,
  LABELS,
  LOG,
  memoryWithRoom,
  mount,
  PIDS_MOST,
  STOP_SECONDS,
  TEMPORARY_BYTES,
} from './recipe.ts'

interface Surroundings {
  image: string
  /** The folder of the service. */
  service: string
  user?: string | undefined
  networks: readonly string[]
  fence: { folder: string; claim: string }
}

/** Of `POST /services/create`. As `containerOf`, on whatever node the engine chooses, and never by itself on another. */
export function serviceOf(
  { id, memoryMb, port, cpus, node }: ServerSpec,
  { file, args, cwd, env, reads = [] }: ProgramSpec,
  { image, service, user, networks, fence }: Surroundings,
): object {
  const bytes = memoryWithRoom(memoryMb)
  const cores = cpus && { NanoCPUs: Math.round(cpus * 1e9) }
  return {
    Name: containerName(id),
    Labels: { [LABELS.service]: service, [LABELS.server]: id },
    TaskTemplate: {
      ContainerSpec: {
        Image: image,
        Command: ['sh', '-c', FENCED, 'sh', fence.folder, fence.claim, file, ...args],
        Dir: cwd,
        Env: [
          ...Object.entries({ LANG: 'C.UTF-8', HOME: cwd, ...env }).map(
            ([name, value]) => `${name}=${value}`,
          ),
          'WHEELHOUSE_NODE={{.Node.Hostname}}',
          'WHEELHOUSE_TASK={{.Task.ID}}',
        ],
        ...(user && { User: user }),
        ...{ TTY: false, OpenStdin: true, ReadOnly: true, Init: true, CapabilityDrop: ['ALL'] },
        StopGracePeriod: STOP_SECONDS * 1e9,
        Mounts: [
          mount(cwd, false),
          mount(fence.folder, false),
          ...reads.map((one) => mount(one, true)),
          TEMPORARY,
        ],
      },
      Resources: {
        Limits: { MemoryBytes: bytes, Pids: PIDS_MOST, ...cores },
        Reservations: { MemoryBytes: bytes, ...cores },
      },
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: node ? [`node.hostname==${node}`] : [] },
      Networks: networks.map((Target) => ({ Target })),
      LogDriver: { Name: LOG.Type, Options: LOG.Config },
    },
    Mode: { Replicated: { Replicas: 1 } },
    // Players reach the node itself, so that their addresses are seen.
    EndpointSpec: {
      Mode: 'dnsrr',
      Ports: ['tcp', 'udp'].map((protocol) => ({
        ...{ Protocol: protocol, TargetPort: port, PublishedPort: port, PublishMode: 'host' },
      })),
    },
  }
}

/** A volume, since a service's tmpfs runs no programs, and Java unpacks its libraries there. It goes with the container. */
const TEMPORARY = {
  ...{ Type: 'volume', Target: '/tmp' },
  VolumeOptions: {
    DriverConfig: {
      Name: 'local',
      Options: { type: 'tmpfs', device: 'tmpfs', o: `size=${TEMPORARY_BYTES},mode=1777,nosuid,nodev` },
    },
  },
}
