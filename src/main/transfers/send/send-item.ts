import { api } from '../../../contract/areas/index.ts'
import { say } from '../../../contract/messages/say.ts'
import type { PanelProblem } from '../../api/problem.ts'
import { problem } from '../../api/problem.ts'
import { copyByForm } from './copy-by-form.ts'
import { COPY_PIECE, copySource } from '../sources/remote-file.ts'
import { downloadFile } from '../download/download.ts'
import { downloadFolder, copyFolder } from '../download/expand-folder.ts'
import { uploadByForm } from './form.ts'
import { keepBoth } from './keep-both.ts'
import { nameOf } from '../../../contract/pure/paths.ts'
import { type Ended, type Move } from './context.ts'
import { NO_PLACE, noPlace } from '../download/local-names.ts'
import { fileSource, type Source, statFile } from '../sources/local-file.ts'
import type { ItemRow } from '../store/rows.ts'
import { drop, NoTus, uploadByTus } from './tus.ts'

/** Moves one file, or makes one folder. Throws a `PanelProblem` for all that goes wrong, or the reason of an abort. */
export async function moveItem(move: Move, item: ItemRow): Promise<Ended> {
  const { kind } = move.transfer
  if (item.target === NO_PLACE) throw noPlace(kind, item.source)
  if (item.kind === 'folder') {
    if (kind === 'download') return downloadFolder(move, item)
    if (kind === 'copy') return copyFolder(move, item)
    return makeFolder(move, item)
  }
  switch (kind) {
    case 'download':
      return downloadFile(move, item)
    case 'upload':
      return item.source === '' ? moveComing(move, item) : moveFile(move, item)
    case 'copy': {
      const { from } = move
      if (!from) throw problem('not-found', say('send.from-gone'))
      checkSize(move, item)
      return send(
        move,
        item,
        move.source(item, () => copySource(move, from, item)),
        COPY_PIECE,
      )
    }
  }
}

async function moveFile(move: Move, item: ItemRow): Promise<Ended> {
  const now = await statFile(item)
  if (now.size !== item.size || now.modifiedAt !== item.modifiedAt) {
    // It is another file than the one that was begun: what is there of it is worth nothing.
    move.release(item)
    await drop(move, item)
    await move.keep(item, { ...now, bytesDone: 0 })
  }
  checkSize(move, item)
  const source = move.source(item, () => fileSource(move.bytes, item, null))
  return send(move, item, source, undefined)
}

/** A file of a page, sent while it comes. */
async function moveComing(move: Move, item: ItemRow): Promise<Ended> {
  const coming = move.coming(item)
  if (!coming) return { kind: 'gathering' }
  // Here alone: in the queue's file it has no source before it is whole.
  item.source = coming.path
  checkSize(move, item)
  const source = () => move.source(item, () => fileSource(move.bytes, item, coming))
  // One that broke off before this.
  if (source().coming !== coming) move.release(item)
  try {
    return await send(move, item, source(), undefined)
  } catch (error) {
    if (coming.hasFailed && !move.signal.aborted) return { kind: 'gathering' }
    throw error
  }
}

function send(move: Move, item: ItemRow, source: Source, pieceMost: number | undefined): Promise<Ended> {
  const once = () => sendAs(move, item, source, pieceMost)
  return item.choice === 'keep-both' ? keepBoth(move, item, source, once) : once()
}

async function sendAs(
  move: Move,
  item: ItemRow,
  source: Source,
  pieceMost: number | undefined,
): Promise<Ended> {
  const resumable = move.limits?.resumable ?? null
  if (resumable !== false) {
    try {
      return await uploadByTus(move, item, source, {
        target: item.target,
        sure: resumable === true,
        ...(pieceMost === undefined ? {} : { pieceMost }),
      })
    } catch (error) {
      if (!(error instanceof NoTus)) throw error
    }
  }
  if (move.from) return copyByForm(move, move.from, item)
  return uploadByForm(move, item, source)
}

/** Throws where the service said beforehand that it takes no file of this size. */
function checkSize(move: Pick<Move, 'limits'>, item: ItemRow): void {
  const most = move.limits?.maxFileBytes
  if (most !== null && most !== undefined && item.size > most) throw tooLarge(item, most)
}

/** A file that a service does not take. */
export const tooLarge = (item: Pick<ItemRow, 'path' | 'size'>, most: number): PanelProblem =>
  problem('too-large', say('send.too-large', { name: nameOf(item.path), size: item.size, most }), {
    serviceCode: 'files.too-large',
  })

async function makeFolder(move: Move, item: ItemRow): Promise<Ended> {
  await move.client.send(
    api.files.folder,
    { params: { serverId: move.transfer.serverId }, body: { path: item.target, conflict: 'skip' } },
    { signal: move.signal },
  )
  return { kind: 'done', finalPath: null }
}
