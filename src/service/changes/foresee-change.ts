import { readdir } from 'node:fs/promises'
import type { z } from 'zod'
import type { ChangePlan, PlanItem } from '../../contract/areas/software.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../refusal.ts'
import type { Runtime } from '../runtime/types.ts'
import { compareVersions } from '../software/catalogues/version-order.ts'
import type { Foresight, Software } from '../software/software.ts'
import type { ServerRow } from '../store/servers.ts'
import { readLevelVersion } from './level-version.ts'
import { measureCopy, roomForCopy } from './make-copy.ts'
import type { SoftwareChoice } from './change-words.ts'

type Item = z.input<typeof PlanItem>

export interface PlanPorts {
  runtime: Pick<Runtime, 'software' | 'versions'>
  files: ServerFiles
  signal: AbortSignal
}

/** What people should know before a server is changed to this software. Rejects where its catalog cannot be asked. */
export async function foreseeChange(
  server: ServerRow,
  to: SoftwareChoice,
  { runtime, files, signal }: PlanPorts,
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
    ...(await ofExtensions(server, target, runtime, files)),
    ...(channel === 'release' ? [] : [{ kind: 'unstable' }]),
    ...ofInstallation(foresight),
    ...(copied.bytes > free ? [{ kind: 'no-room' }] : []),
  ]
  return {
    items,
    copyBytes: copied.bytes,
    freeBytes: free,
    ...(foresight && { build: foresight.build, downloadBytes: foresight.bytes }),
  }
}

/** The version that saved the world, beside the one that is to open it. */
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

/** Snapshots have names of their own, which cannot be compared. */
const isRelease = (version: string): boolean => /^\d+(?:\.\d+)+/.test(version)

/** Plugins and mods that do not run there. */
async function ofExtensions(
  { softwareId }: ServerRow,
  target: Software | null,
  runtime: PlanPorts['runtime'],
  files: ServerFiles,
): Promise<Item[]> {
  const items: Item[] = []
  for (const folder of ['plugins', 'mods'] as const) {
    const count = await jarsIn(files, folder)
    const loads = runtime.software(softwareId)?.loads
    // Of what the software now would not load itself, nobody can say for what they were made.
    const isFor = loads?.folder === folder ? softwareId : null
    const runs = target?.loads?.folder === folder && (isFor === null || target.loads.of.includes(isFor))
    if (count === 0 || runs) continue
    const isFolia = folder === 'plugins' && target?.id === 'folia'
    items.push({ kind: isFolia ? 'few-plugins' : `${folder}-stop`, count })
  }
  return items
}

async function jarsIn(files: ServerFiles, name: string): Promise<number> {
  try {
    using folder = files.open(name)
    const entries = await readdir(folder.itself, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile() && /\.jar$/i.test(entry.name)).length
  } catch (error) {
    if (error instanceof Refusal) return 0
    throw error
  }
}

const ofInstallation = (foresight: Foresight | null): Item[] =>
  foresight?.java.isMissing ? [{ kind: 'java', major: foresight.java.major }] : []
