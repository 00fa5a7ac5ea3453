/* The raw limit: writes what is PUT into files of a folder, below /hashed/ with its checksum, and does nothing else. Its parent ends it. */
import { createHash } from 'node:crypto'
import { createWriteStream, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.argv[2] ?? ''
const server = createServer((request, response) => {
  // A page that PUTs what is picked in it: what a browser can do at best.
  const [, listed] = /^\/list\/(.*)$/.exec(request.url ?? '') ?? []
  if (listed !== undefined) return void response.end(list(decodeURIComponent(listed)))
  if (request.method === 'GET')
    return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<input type="file">')
  const [, hashed, name = ''] = /^\/(hashed\/)?(.*)$/.exec(request.url ?? '/') ?? []
  const file = createWriteStream(join(folder, decodeURIComponent(name)))
  const written = hashed ? pipeline(request, hashing, file) : pipeline(request, file)
  written.then(
    () => response.writeHead(201).end(),
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit(0))

async function* hashing(request: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of request) {
    hash.update(piece)
    yield piece
  }
  hash.digest()
}

/** A folder's entries as a panel lists them: with kind, size and time. One after the other, which is quickest. */
function list(path: string): string {
  const items = readdirSync(path, { withFileTypes: true }).map((entry) => {
    const { size, mtime } = statSync(join(path, entry.name))
    return { name: entry.name, kind: entry.isDirectory() ? 'folder' : 'file', size, modifiedAt: mtime }
  })
  return JSON.stringify({ items })
}
