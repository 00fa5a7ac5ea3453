import { files as operations } from '../../contract/areas/files.ts'
import { BASE_PATH } from '../../contract/areas/index.ts'
import { Conflict } from '../../contract/areas/file-values.ts'
import type { AgeingClock } from '../clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { tagOf } from '../files/entry.ts'
import { parse } from '../parse-input.ts'
import { Refusal } from '../refusal.ts'
import { serve, serveBelow, type GivenBelow, type ServiceApp } from '../serve.ts'
import { createHasher } from './hasher.ts'
import { incomingBody } from './incoming.ts'
import { UploadLocks } from './locks.ts'
import { receiveForm } from './multipart.ts'
import { asTusRefusal, finalPath, TUS } from './tus-answers.ts'
import { createTus, type Asking } from './tus.ts'
import { createUploadStore } from './upload-store.ts'

export interface UploadParts {
  files: AllServerFiles
  clock: AgeingClock
  /** Ids of all servers there are. */
  serverIds: () => string[]
  isThere: (serverId: string) => boolean
}

export interface Uploads {
  /** Breaks off what is being sent to a server that is about to be deleted; its folder can go after that. */
  drop(serverId: string): Promise<void>
  /** Removes what is expired. Called hourly by itself. */
  sweep(): Promise<void>
  /** Lets go of what is not needed while nothing is sent. */
  rest(): void
  close(): Promise<void>
}

const SWEEP_MS = 60 * 60 * 1000

/** Mounts tus 1.0 and the simple way at `/servers/files/upload/:serverId`, and sweeps what was left over. */
export function mountUploads(app: ServiceApp, { files, clock, serverIds, isThere }: UploadParts): Uploads {
  const hasher = createHasher()
  const store = createUploadStore(hasher, clock, app.gates.bounds)
  const locks = new UploadLocks()
  const tus = createTus(store, locks, clock)
  /** Who sends to which server now. */
  const senders = new Map<string, Set<() => Promise<void>>>()

  async function answerTus({ c, caller, server, checkAgain }: GivenBelow): Promise<Response> {
    const { pathname } = new URL(c.req.url)
    const { method } = c.req.raw
    const body = method === 'PATCH' ? incomingBody(c.env.incoming) : null
    const base = pathname
      .split('/')
      .slice(0, (BASE_PATH + operations.upload.path).split('/').length)
      .join('/')
    const asking: Asking = {
      accountId: caller.accountId,
      files: files.of(server.id),
      path: base,
      holder: body ?? { cut: () => {}, quietMs: () => Infinity },
      vouching: {
        sha256: () => sha256Of(c.req.header(CHECKSUM) ?? c.env.incoming.trailers[CHECKSUM]),
        conflict: conflictOf(c.req.header('upload-conflict')),
        checkAgain,
      },
      failure: null,
      record: null,
    }
    const request = new Request(c.req.url, {
      method,
      headers: c.req.header(),
      ...(body && { body: body.stream, duplex: 'half' }),
    })
    const response = await sending(server.id, body?.cut ?? null, () => tus(request, asking))
    if (asking.failure || response.status >= 400)
      throw await asTusRefusal(asking.failure, response, asking.record?.path ?? '')
    for (const name of [...response.headers.keys()])
      if (name.startsWith('access-control-')) response.headers.delete(name)
    const state = asking.record?.state
    if (state?.kind === 'done' && method !== 'DELETE') {
      if (state.etag) response.headers.set('ETag', state.etag)
      response.headers.set('Upload-Final-Path', finalPath(state.path))
    }
    return response
  }

  /** Keeps how to break a request off for as long as it runs. */
  async function sending<T>(serverId: string, cut: (() => void) | null, act: () => Promise<T>): Promise<T> {
    if (!cut) return act()
    const running = act()
    const breakOff = async () => {
      cut()
      await running.catch(() => {})
    }
    const all = senders.get(serverId) ?? new Set()
    senders.set(serverId, all.add(breakOff))
    try {
      return await running
    } finally {
      all.delete(breakOff)
      if (all.size === 0) senders.delete(serverId)
    }
  }

  serve(app, operations.upload, async (given) => {
    const { c, server, checkAgain } = given
    if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')) {
      return (await answerTus(given)) as never
    }
    const own = files.of(server.id)
    const { incoming } = c.env
    const placed = await sending(
      server.id,
      () => void incoming.destroy(),
      () => receiveForm(incoming, own, store, hasher, checkAgain),
    )
    c.header('ETag', tagOf(placed.stat))
    c.header('Upload-Final-Path', finalPath(placed.path))
    return { entry: placed.entry, running: own.running }
  })
  serveBelow(app, operations.upload, { answer: answerTus, options: TUS })

  async function sweep(): Promise<void> {
    for (const serverId of serverIds()) {
      // Deleted while others were swept.
      if (!isThere(serverId)) continue
      await store
        .sweep(files.of(serverId), (id) => locks.isHeld(id))
        .catch((error: unknown) => app.log.warn({ err: error, serverId }, 'uploads could not be swept'))
    }
  }
  const sweepBehind = () =>
    void sweep().catch((error: unknown) => app.log.warn({ err: error }, 'uploads could not be swept'))
  const sweeping = setInterval(sweepBehind, SWEEP_MS)
  sweeping.unref()
  sweepBehind()

  return {
    async drop(serverId) {
      await Promise.all([...(senders.get(serverId) ?? [])].map((breakOff) => breakOff()))
    },
    sweep,
    rest: () => hasher.rest(),
    async close() {
      clearInterval(sweeping)
      await hasher.close()
    },
  }
}

const CHECKSUM = 'upload-checksum'

/** `sha256 <base64>` → hex; null where there is none. */
function sha256Of(header: string | undefined): string | null {
  if (header === undefined) return null
  const base64 = /^sha256 +([A-Za-z0-9+/]{43}=)$/.exec(header.trim())?.[1]
  if (base64) return Buffer.from(base64, 'base64').toString('hex')
  throw new Refusal(422, 'request.invalid', 'Upload-Checksum must be: sha256, a space, the hash in Base64.')
}

const conflictOf = (header: string | undefined): Conflict | null =>
  header === undefined ? null : parse(Conflict, header)
