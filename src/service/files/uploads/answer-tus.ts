import { Conflict } from '../../../contract/areas/values/file-values.ts'
import { files as operations } from '../../../contract/areas/files.ts'
import { BASE_PATH } from '../../../contract/areas/index.ts'
import type { AllServerFiles } from '../all-server-files.ts'
import { parse } from '../../http/parse-input.ts'
import { refusal } from '../../../host/refusal.ts'
import type { SubresourceInput } from '../../http/serve.ts'
import type { Senders } from './locks.ts'
import { asTusRefusal, finalPath } from './tus-answers.ts'
import type { TusRequestContext } from './tus-store.ts'
import type { Tus } from './tus.ts'
import type { IncomingMessage } from 'node:http'

interface TusParts {
  files: AllServerFiles
  tus: Tus
  senders: Senders
}

/** Adds our headers to the tus server's response. */
export async function answerTus(
  { files, tus, senders }: TusParts,
  { c, caller, server, checkAgain, logTarget }: SubresourceInput,
): Promise<Response> {
  const { pathname } = new URL(c.req.url)
  const { method } = c.req.raw
  const body = method === 'PATCH' ? incomingBody(c.env.incoming) : null
  const base = pathname
    .split('/')
    .slice(0, (BASE_PATH + operations.upload.path).split('/').length)
    .join('/')
  const asking: TusRequestContext = {
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
  const response = await senders.sending(server.id, body?.cut ?? null, () => tus(request, asking))
  if (asking.failure || response.status >= 400)
    throw await asTusRefusal(asking.failure, response, asking.record?.path ?? '')
  for (const name of [...response.headers.keys()])
    if (name.startsWith('access-control-')) response.headers.delete(name)
  const state = asking.record?.state
  if (state?.kind === 'done' && method !== 'DELETE') {
    if (state.etag) response.headers.set('ETag', state.etag)
    response.headers.set('Upload-Final-Path', finalPath(state.path))
    if (method !== 'HEAD') logTarget(state.path)
  }
  return response
}

const CHECKSUM = 'upload-checksum'

/** `sha256 <base64>` to hex; null if missing. */
function sha256Of(header: string | undefined): string | null {
  if (header === undefined) return null
  const base64 = /^sha256 +([A-Za-z0-9+/]{43}=)$/.exec(header.trim())?.[1]
  if (base64) return Buffer.from(base64, 'base64').toString('hex')
  throw refusal(422, 'request.invalid.checksum')
}

const conflictOf = (header: string | undefined): Conflict | null =>
  header === undefined ? null : parse(Conflict, header)

/** Time in ms without bytes after which the sender counts as gone. */
const SILENT_MS = 120_000

interface IncomingBody {
  /** Ends normally if the connection breaks, with every byte received. */
  stream: ReadableStream<Uint8Array>
  quietMs: () => number
  cut: () => void
}

function incomingBody(incoming: IncomingMessage): IncomingBody {
  let heardAt = performance.now()
  const cut = () => void incoming.destroy()
  const watch = setInterval(() => {
    if (performance.now() - heardAt > SILENT_MS) cut()
  }, SILENT_MS / 4)
  watch.unref()
  let ended = false
  let wake: (() => void) | null = null
  const hear = () => wake?.()
  const end = () => {
    ended = true
    clearInterval(watch)
    wake?.()
  }
  // Aborts also emit an error, which must be handled.
  incoming.on('readable', hear).once('end', end).once('close', end).on('error', end)
  if (incoming.readableEnded || incoming.destroyed) end()
  return {
    quietMs: () => (ended ? Infinity : performance.now() - heardAt),
    cut,
    stream: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          for (;;) {
            const chunk = incoming.read() as Buffer | null
            if (chunk) {
              heardAt = performance.now()
              return controller.enqueue(chunk)
            }
            if (ended) return controller.close()
            await new Promise<void>((resolve) => (wake = resolve))
            wake = null
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    ),
  }
}
