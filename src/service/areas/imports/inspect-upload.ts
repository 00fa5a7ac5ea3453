import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import type { FoundServer } from '../../../contract/areas/imports.ts'
import type { NameEncoding } from '../../../contract/rules/names.ts'
import { extractArchive } from '../../files/archives/extract.ts'
import type { DetectedEncoding } from '../../files/archives/names/entry-names.ts'
import type { JobProgress } from '../../files/jobs.ts'
import { partsOf } from '../../files/names/names.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { ServerFiles } from '../../files/server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import { findServerFolder } from './recognize/find-server.ts'
import { recognizeServer } from './recognize/recognize.ts'

export type InspectedUpload = z.input<typeof FoundServer> & { folder: string }

/** Loose files may be a world, and servers name theirs so. */
const EXTRACTED = 'world'

export interface SentUpload {
  archive: string
  names?: NameEncoding | undefined
}

export const filesWithin = (own: ServerFiles, folder: string): ServerFiles =>
  new ServerFiles({
    ...{ serverId: own.serverId, staging: own.staging, trash: own.trash },
    root: path.join(own.root, ...(folder === '' ? [] : folder.split('/'))),
    ...{ maxFileBytes: null, quotaBytes: null, running: () => false },
  })

/**
 * Deletes the archive afterwards, unless its names were in a code page: it may be extracted again with another.
 * Throws refusals of files and archives, leaving the upload unchanged.
 */
export async function extractSent(
  own: ServerFiles,
  { archive, names }: SentUpload,
  progress: JobProgress,
): Promise<void> {
  if (partsOf(archive).length !== 1) throw refusal(422, 'imports.archive')
  const extracted = path.join(own.root, EXTRACTED)
  const isThere = (at: string) => lstatSync(at, { throwIfNoEntry: false }) !== undefined
  if (isThere(extracted)) {
    if (!isThere(path.join(own.root, archive))) return
    // Left by an interrupted extraction.
    await removeTree(extracted)
  }
  let isUnicode = true
  const namesRead = (read: DetectedEncoding) => {
    isUnicode = false
    progress.namesRead(read)
  }
  const wish = { path: archive, to: EXTRACTED, conflict: 'replace', names } as const
  await extractArchive(own, wish, { ...progress, namesRead })
  if (isUnicode) await removeSent(own, archive)
}

export async function removeSent(own: ServerFiles, archive: string): Promise<void> {
  using located = own.locate(archive)
  await rm(located.at, { force: true })
  own.space.forget()
}

/** Throws 422 `imports.nothing-found`, `imports.bedrock`. */
export async function inspectUpload(own: ServerFiles, signal: AbortSignal): Promise<InspectedUpload> {
  const { path: folder, isBedrock } = (await findServerFolder(own, signal)) ?? {}
  if (folder === undefined) throw nothingFound()
  if (isBedrock) throw refusal(422, 'imports.bedrock')
  const { isServer, found } = await recognizeServer(filesWithin(own, folder), signal)
  if (!isServer) throw nothingFound()
  return { folder, ...found }
}

const nothingFound = () => refusal(422, 'imports.nothing-found')
