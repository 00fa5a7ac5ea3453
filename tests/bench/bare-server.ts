/* The raw limit: writes what is PUT into files of a folder, and does nothing else. Its parent ends it. */
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.argv[2] ?? ''
const server = createServer((request, response) => {
  // A page that PUTs what is picked in it: what a browser can do at best.
  if (request.method === 'GET')
    return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<input type="file">')
  pipeline(request, createWriteStream(join(folder, decodeURIComponent((request.url ?? '/').slice(1))))).then(
    () => response.writeHead(201).end(),
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit(0))
