import type { z } from 'zod'
import {
  type ChangePlan,
  type PlanItem,
  UNFIT_NAMED_MOST,
  type UnfitExtension,
} from '../../contract/areas/software.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { Runtime } from '../runtime/types.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import type { InstallForecast, Software } from '../software/software.ts'
import type { ServerRow } from '../store/servers.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { movesDimensions } from './dimension-moves.ts'
import { readLevelVersion } from './level-version.ts'
import { measureCopy, roomForCopy } from './make-copy.ts'
import type { SoftwareChoice } from './change-words.ts'

type Item = z.input<typeof PlanItem>

export interface PlanPorts {
  runtime: Pick<Runtime, 'software' | 'versions'>
  files: ServerFiles
  unfitFor: UnfitJarsQuery
  signal: AbortSignal
}

export interface UnfitJar {
  folder: 'plugins' | 'mods'
  /** Contract path. */
  path: string
  name: string
  version: string | null
  problems: NonNullable<z.input<typeof UnfitExtension>['problems']>
}

export type UnfitJarsQuery = (serverId: string, to: SoftwareChoice) => Promise<readonly UnfitJar[]>

/** Rejects if the software's catalog can't be reached. */
export async function foreseeChange(
  server: ServerRow,
  to: SoftwareChoice,
  { runtime, files, unfitFor, signal }: PlanPorts,
): Promise<z.input<typeof ChangePlan>> {
  const target = runtime.software(to.id)
  const spec = {
    id: server.id,
    name: server.name,
    folder: files.root,
    software: to,
    memoryMb: 0,
    port: 0,
    host: '',
  }
  const [versions, foresight, copied, free] = await Promise.all([
    runtime.versions(to.id),
    target?.installation?.foresee(spec, signal) ?? null,
    measureCopy(files),
    roomForCopy(files),
  ])
  const channel = versions.find(({ id }) => id === to.version)?.channel ?? 'release'
  const items = [
    ...(await ofWorld(server, to, target, runtime, files)),
    ...(await ofDimensions(server, target, runtime, files)),
    ...(await ofExtensions(server.id, to, unfitFor)),
    ...(channel === 'release' ? [] : [{ kind: 'unstable' }]),
    ...ofInstallation(foresight),
    ...(copied.bytes > free ? [{ kind: 'no-room' }] : []),
  ]
  return {
    items,
    copyBytes: copied.bytes,
    freeBytes: free,
    takesNewWorld: true,
    ...(foresight && { build: foresight.build, downloadBytes: foresight.bytes }),
  }
}

async function ofWorld(
  { softwareId, softwareVersion }: ServerRow,
  to: SoftwareChoice,
  target: Software | null,
  runtime: PlanPorts['runtime'],
  files: ServerFiles,
): Promise<Item[]> {
  const items: Item[] =
    softwareId === to.id && softwareVersion === to.version ? [{ kind: 'same-version' }] : []
  const world = await readLevelVersion(files)
  if (!world.isThere) return items
  if (target?.isProxy) return [...items, { kind: 'no-world' }]
  const isKnown = runtime.software(softwareId)?.isProxy !== true && isRelease(softwareVersion)
  const from = world.version ?? (isKnown ? softwareVersion : null)
  if (from === null || !isRelease(from) || !isRelease(to.version)) return items
  const order = compareVersions(to.version, from)
  if (order === 0) return items
  return [...items, { kind: order < 0 ? 'older-version' : 'newer-version', from, to: to.version }]
}

async function ofDimensions(
  { softwareId }: ServerRow,
  target: Software | null,
  runtime: PlanPorts['runtime'],
  files: ServerFiles,
): Promise<Item[]> {
  const { level } = await readWorldSettings(files)
  const isMoved = movesDimensions(files, level, runtime.software(softwareId), target)
  return isMoved ? [{ kind: 'dimensions-move' }] : []
}

/** Snapshot names can't be compared. */
const isRelease = (version: string): boolean => /^\d+(?:\.\d+)+/.test(version)

async function ofExtensions(serverId: string, to: SoftwareChoice, unfitFor: UnfitJarsQuery): Promise<Item[]> {
  const unfit = await unfitFor(serverId, to)
  return FOLDERS.flatMap((folder) => {
    const here = unfit.filter((one) => one.folder === folder)
    const [stop, others] = [here.filter(isOfOther), here.filter((one) => !isOfOther(one))]
    return [...itemOf(`${folder}-stop`, stop), ...itemOf(`${folder}-unfit`, others)]
  })
}

const FOLDERS = ['plugins', 'mods'] as const

const isOfOther = ({ problems }: UnfitJar): boolean => problems.some(({ kind }) => kind === 'wrong-software')

function itemOf(kind: string, all: readonly UnfitJar[]): Item[] {
  if (all.length === 0) return []
  const named = all.slice(0, UNFIT_NAMED_MOST)
  const extensions = named.map(({ name, version, problems }) => ({ name, version, problems }))
  return [{ kind, count: all.length, extensions }]
}

const ofInstallation = (foresight: InstallForecast | null): Item[] =>
  foresight?.java.isMissing ? [{ kind: 'java', major: foresight.java.major }] : []
