import { type Command, Option } from 'commander'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { StartProblem } from '../../host/start-problem.ts'
import type { EngineSettings } from '../runtime/containers/engine.ts'

const DEFAULT_ENGINE =
  process.platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock'

export interface EngineFlags {
  /** Absent: no containers. */
  dockerImage?: string
  docker: string
  /** Folder with `ca.pem`, `cert.pem`, `key.pem`. */
  dockerCerts?: string
  /** The engine is a manager, and servers run on all nodes of its Swarm. */
  dockerSwarm?: true
}

/** Whoever may use the engine is root on its computer, so the service has to be told. */
export const withEngine = (program: Command): Command =>
  program
    .option(
      '--docker-image <name@digest>',
      'run servers in containers of this image; whoever may use the Docker Engine is root on its computer',
    )
    .addOption(
      new Option('--docker <address>', 'address of the Docker Engine')
        .env('DOCKER_HOST')
        .default(DEFAULT_ENGINE),
    )
    .addOption(
      new Option(
        '--docker-certs <folder>',
        'folder with ca.pem, cert.pem and key.pem for a tcp:// address, or for the nodes of a Swarm',
      ).env('DOCKER_CERT_PATH'),
    )
    .option('--docker-swarm', 'run servers on all nodes of the Swarm that the engine manages')

/** `eclipse-temurin@sha256:…`, or the id of an image that no registry has. */
const PINNED = /^(?:[\w][\w./:-]{0,254}@)?sha256:[0-9a-f]{64}$/
const ADDRESS = /^(?:unix|npipe|tcp):\/\//

/** Null: no containers. Throws StartProblem `arguments`. */
export function engineSettings({
  dockerImage: image,
  docker,
  dockerCerts,
  dockerSwarm,
}: EngineFlags): EngineSettings | null {
  if (image === undefined) return null
  if (!PINNED.test(image))
    throw problem(
      `--docker-image: ${image} has no digest. Name it as name@sha256:…, so that it stays the same one.`,
    )
  if (process.getuid?.() === 0)
    throw problem(
      'Servers in containers would run as root, since the service does. Run the service as a user of its own that may use the engine.',
    )
  if (!ADDRESS.test(docker) || !URL.canParse(docker))
    throw problem(`--docker: ${docker} is no address. It begins with unix://, npipe:// or tcp://.`)
  const isRemote = docker.startsWith('tcp:')
  if (isRemote && dockerCerts === undefined)
    throw problem(
      `--docker: ${docker} needs --docker-certs: without certificates anybody could use the engine.`,
    )
  if (dockerSwarm && dockerCerts === undefined)
    throw problem(
      '--docker-swarm needs --docker-certs: the engines of its nodes are reached with certificates alone.',
    )
  const tls = isRemote || dockerSwarm ? certificatesIn(dockerCerts!) : null
  return { address: docker, image, tls: isRemote ? tls : null, ...(dockerSwarm && tls && { swarm: { tls } }) }
}

function certificatesIn(folder: string): NonNullable<EngineSettings['tls']> {
  const read = (name: string): string => {
    try {
      return readFileSync(path.join(folder, name), 'utf8')
    } catch {
      throw problem(`--docker-certs: ${path.join(folder, name)} cannot be read.`)
    }
  }
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}

const problem = (message: string): StartProblem => new StartProblem('arguments', message)
