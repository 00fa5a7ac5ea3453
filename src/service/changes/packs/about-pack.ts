import { PACK_NAMES_MOST } from '../../../contract/areas/modpacks.ts'
import { AS_BEFORE, chosenOf } from './choose-files.ts'
import type { CatalogFile } from '../../../extensions/catalogs/pack-catalog.ts'
import { SETTINGS_FILE } from './pack-settings.ts'
import { projectOf } from './pack-index.ts'
import type { PackRecord } from '../pack-record.ts'
import type { OpenedSource } from './read-pack.ts'

/** @param known catalog entries of its files, by SHA-512 */
export function aboutPack(
  { pack, version }: Pick<OpenedSource, 'pack' | 'version'>,
  known: ReadonlyMap<string, CatalogFile>,
  before: PackRecord | null,
) {
  const { index, overrides } = pack
  const forServer = index.files.filter(({ server }) => server !== 'unsupported')
  const some = <T>(items: T[]) => items.slice(0, PACK_NAMES_MOST)
  const chosen = chosenOf(pack, AS_BEFORE, before)
  const out = new Set(chosen.leftOut.map(({ path }) => path))
  const nameOf = (path: string, sha512: string) => known.get(sha512)?.name ?? path.split('/').at(-1)!
  const isClients = (sha512: string) => known.get(sha512)?.isClientOnly === true
  const client = (
    file: { path: string; sha512: string },
    reason: 'pack' | 'catalog' | 'mod',
    taken: boolean,
  ) => ({
    ...{ path: file.path, name: nameOf(file.path, file.sha512), reason, taken },
  })
  const lists = {
    clientFiles: [
      ...chosen.clientOnly.map(({ file, reason }) => client(file, reason, false)),
      ...chosen.files
        .filter(({ isTaken }) => isTaken)
        .map((file) =>
          client(
            file,
            file.server === 'unsupported' ? 'pack' : isClients(file.sha512) ? 'catalog' : 'mod',
            true,
          ),
        ),
      ...forServer
        .filter((file) => isClients(file.sha512) && !chosen.clientOnly.some((one) => one.file === file))
        .filter(({ path }) => !chosen.taken.some((one) => one.path === path))
        .map((file) => client(file, 'catalog', false)),
    ],
    optional: forServer
      .filter(({ server, sha512 }) => server === 'optional' && !isClients(sha512))
      .map(({ path, sha512 }) => ({ path, name: nameOf(path, sha512), leftOut: out.has(path) })),
    refused: [...index.refused, ...pack.settings.refused.map((key) => `${SETTINGS_FILE} (${key})`)],
  }
  return {
    name: index.name,
    version: version?.name ?? index.version,
    files: forServer.length,
    downloadBytes: forServer.reduce((sum, { size }) => sum + size, 0),
    overrides: overrides.length,
    clientOnly: index.files.length - forServer.length,
    clientFiles: some(lists.clientFiles),
    optional: some(lists.optional),
    /** On an existing server, only settings that differ there. */
    settings: Object.entries(pack.settings.values).map(([key, value]) => ({ key, value })),
    refused: some(lists.refused),
    more: beyond(lists),
  }
}

export const beyond = <K extends string>(lists: Readonly<Record<K, readonly unknown[]>>) =>
  Object.fromEntries(
    Object.entries<readonly unknown[]>(lists).flatMap(([name, { length }]) =>
      length > PACK_NAMES_MOST ? [[name, length - PACK_NAMES_MOST]] : [],
    ),
  ) as Partial<Record<K, number>>

/** Names previously recorded as client-only by the pack or its catalog. */
export const namesOf = (
  files: ReturnType<typeof chosenOf>['clientOnly'],
  of: 'pack' | 'mod',
): PackRecord['leftOut'] =>
  files
    .filter(({ reason }) => reason === of)
    .map(({ file }) => ({ path: file.path, project: projectOf(file.urls) }))
