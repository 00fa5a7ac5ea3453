import { createHash } from 'node:crypto'
import { type TestResponder, listen, refusal, reply } from '../../api/test-listener.ts'

/** What a hosting service that is not ours may lack. */
export interface OddFiles {
  etags: boolean
  /** Whether it judges by If-Match and If-None-Match. */
  conditions: boolean
  /** Whether it answers parts. */
  ranges: boolean
  trash: boolean
}

type Files = Map<string, Buffer>

const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
const gone = refusal('files.not-found', 'There is no such file.')

/** Answers the bytes of a file, and takes new ones. */
const contentOf =
  (files: Files, { etags, conditions, ranges }: OddFiles): TestResponder =>
  (request, response) => {
    const path = new URL(request.url, 'http://odd').searchParams.get('path') ?? ''
    const bytes = files.get(path)
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, range } = request.headers
    if (request.method === 'PUT') {
      if (conditions && ifNoneMatch === '*' && bytes) return reply(response, 412)
      if (conditions && ifMatch !== undefined && (!bytes || ifMatch !== tagOf(bytes)))
        return reply(response, 412)
      const now = Buffer.from(request.body)
      files.set(path, now)
      const entry = { name: path.split('/').at(-1), kind: 'file', size: now.length }
      return reply(response, 200, { entry, running: true }, etags ? { etag: tagOf(now) } : {})
    }
    if (!bytes) return reply(response, 404, gone)
    const headers: Record<string, string> = {
      'content-type': 'application/octet-stream',
      ...(etags ? { etag: tagOf(bytes) } : {}),
    }
    const part = ranges ? /^bytes=(\d+)-(\d+)$/.exec(range ?? '') : null
    if (!part) {
      response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
      return
    }
    const from = Number(part[1])
    if (from >= bytes.length)
      return reply(response, 416, refusal('files.range'), { 'content-range': `bytes */${bytes.length}` })
    const to = Math.min(Number(part[2]), bytes.length - 1)
    response
      .writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to}/${bytes.length}` })
      .end(bytes.subarray(from, to + 1))
  }

/** Deletes what is named, and all that lies within. */
const removeFrom =
  (files: Files, { trash }: OddFiles): TestResponder =>
  (request, response) => {
    const { paths } = JSON.parse(request.body) as { paths: string[] }
    const taken = (path: string) => {
      const within = [...files.keys()].filter((one) => one === path || one.startsWith(`${path}/`))
      for (const one of within) files.delete(one)
      return within.length > 0
    }
    const results = paths.map((path) =>
      taken(path)
        ? { path, outcome: 'done' }
        : { path, outcome: 'failed', error: { code: 'files.not-found', message: 'There is no such file.' } },
    )
    const entries = results
      .filter(({ outcome }) => outcome === 'done')
      .map(({ path }) => ({ id: `t-${path}`, path, kind: 'file' }))
    reply(response, 200, { results, ...(trash ? { trash: entries } : {}) })
  }

/** Lists what lies directly in a folder. */
const listOf =
  (files: Files): TestResponder =>
  (request, response) => {
    const path = new URL(request.url, 'http://odd').searchParams.get('path') ?? ''
    const above = path === '' ? '' : `${path}/`
    const items = new Map<string, { name: string; kind: string; size?: number }>()
    for (const [at, bytes] of files) {
      const [name = '', ...below] = at.startsWith(above) ? at.slice(above.length).split('/') : []
      if (name === '') continue
      items.set(
        name,
        below.length > 0 ? { name, kind: 'folder' } : { name, kind: 'file', size: bytes.length },
      )
    }
    reply(response, 200, { items: [...items.values()], nextCursor: null })
  }

/**
 * A stand-in for services that are not ours: the files of one server `s` in memory by path, that of an empty folder with
 * a slash at its end, with as much of the contract as a test wants. `answers` takes a request over before anything else does.
 */
export async function oddFiles(able: Partial<OddFiles> = {}) {
  const all: OddFiles = { ...{ etags: true, conditions: true, ranges: true, trash: true }, ...able }
  const files: Files = new Map()
  const answers: Record<string, TestResponder> = {}
  const asked: string[] = []

  const makeFolder: TestResponder = (request, response) => {
    const { path } = JSON.parse(request.body) as { path: string }
    files.set(`${path}/`, Buffer.alloc(0))
    reply(response, 201, { entry: { name: path, kind: 'folder' } })
  }

  const listTrash: TestResponder = (_request, response) =>
    all.trash
      ? reply(response, 200, { items: [], nextCursor: null })
      : reply(response, 404, refusal('route.none'))

  const content = contentOf(files, all)
  const routes: Record<string, TestResponder> = {
    'GET /users/me': (_request, response) =>
      reply(response, 200, { id: 'u', name: 'Ann', email: 'a@example.com' }),
    'GET /servers': (_request, response) =>
      reply(response, 200, { items: [{ id: 's', name: 'S', status: 'offline' }], nextCursor: null }),
    'GET /servers/files/content/s': content,
    'PUT /servers/files/content/s': content,
    'POST /servers/files/delete/s': removeFrom(files, all),
    'GET /servers/files/s': listOf(files),
    'GET /servers/files/trash/s': listTrash,
    'POST /servers/files/folder/s': makeFolder,
  }
  const listener = await listen((request, response, raw) => {
    const route = `${request.method} ${request.path.replace(/\?.*$/, '')}`
    asked.push(route)
    const answer = answers[route] ?? routes[route]
    if (answer) return answer(request, response, raw)
    reply(response, 404, refusal('route.none'))
  })
  return { listener, files, answers, asked, tagOf, [Symbol.asyncDispose]: () => listener.stop() }
}
