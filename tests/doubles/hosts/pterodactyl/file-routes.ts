import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Answer, type DoubleServer, error, type Handler } from './routes.ts'
import type { Wings } from './wings.ts'

/** A panel opens no larger ones as text, bytes. */
const CONTENTS_MOST = 4 * 1024 * 1024

/** The file operations of a server, done with a real folder. */
export const fileHandlers = (wings: () => Wings): Record<string, Handler> => ({
  'GET /files/list': ({ server, url }) => {
    const folder = within(server, url.searchParams.get('directory') ?? '/')
    if (!isFolder(folder))
      return error(404, 'DaemonConnectionException', 'The requested resource was not found.')
    const data = readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const { size, mtime } = statSync(path.join(folder, entry.name))
      const attributes = {
        ...{ name: entry.name, mode: '-rw-r--r--', mode_bits: '644', size, is_file: entry.isFile() },
        ...{
          is_symlink: entry.isSymbolicLink(),
          mimetype: 'text/plain',
          created_at: mtime,
          modified_at: mtime,
        },
      }
      return { object: 'file_object', attributes }
    })
    return { status: 200, body: { object: 'list', data } }
  },
  'GET /files/contents': ({ server, url }) => {
    const file = within(server, url.searchParams.get('file') ?? '/')
    const size = isFile(file) ? statSync(file).size : -1
    if (size < 0) return error(404, 'DaemonConnectionException', 'The requested resource was not found.')
    if (size > CONTENTS_MOST) return error(400, 'HttpException', 'This file is too large to view.')
    return { status: 200, body: readFileSync(file) }
  },
  'POST /files/write': ({ server, url, body }) => {
    const file = within(server, url.searchParams.get('file') ?? '/')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, body)
    return { status: 204 }
  },
  'PUT /files/rename': ({ server, json }) => {
    const { root, files } = json() as { root: string; files: { from: string; to: string }[] }
    for (const { from, to } of files) {
      const target = within(server, path.posix.join(root, to))
      mkdirSync(path.dirname(target), { recursive: true })
      renameSync(within(server, path.posix.join(root, from)), target)
    }
    return { status: 204 }
  },
  'POST /files/delete': ({ server, json }) => {
    const { root, files } = json() as { root: string; files: string[] }
    for (const name of files) rmSync(within(server, path.posix.join(root, name)), { recursive: true })
    return { status: 204 }
  },
  'POST /files/create-folder': ({ server, json }) => {
    const { root, name } = json() as { root: string; name: string }
    mkdirSync(within(server, path.posix.join(root, name)), { recursive: true })
    return { status: 204 }
  },
  ...archiveHandlers(wings),
  'GET /files/download': ({ server, url }) =>
    signed(wings().download(within(server, url.searchParams.get('file') ?? '/'))),
  'GET /files/upload': ({ server }) => signed(wings().upload(server.folder)),
})

const archiveHandlers = (wings: () => Wings): Record<string, Handler> => ({
  'POST /files/compress': async ({ server, json }) => {
    const { root, files } = json() as { root: string; files: string[] }
    const name = `archive-${new Date().toISOString().replaceAll(/[:.]/g, '')}.tar.gz`
    const folder = within(server, root)
    for (const file of files) if (!existsSync(within(server, path.posix.join(root, file)))) return gone()
    await wings().archiving?.()
    execFileSync('tar', ['-czf', path.join(folder, name), '-C', folder, ...files])
    return { status: 200, body: { object: 'file_object', attributes: { name, size: 1, is_file: true } } }
  },
  'POST /files/decompress': async ({ server, json }) => {
    const { root, file } = json() as { root: string; file: string }
    const archive = within(server, path.posix.join(root, file))
    if (!isFile(archive)) return gone()
    await wings().archiving?.()
    execFileSync('tar', ['-xzf', archive, '-C', within(server, root)])
    return { status: 204 }
  },
  'POST /files/copy': ({ server, json }) => {
    const source = within(server, String(json()['location']))
    if (!isFile(source)) return gone()
    const { dir, name, ext } = path.parse(source)
    const names = [' copy', ...Array.from({ length: 50 }, (_, at) => ` copy ${at + 1}`)]
    const free = names.map((one) => path.join(dir, name + one + ext)).find((one) => !existsSync(one))!
    copyFileSync(source, free)
    return { status: 204 }
  },
})

const gone = () => error(404, 'DaemonConnectionException', 'The requested resource was not found.')

const signed = (url: string): Answer => ({ status: 200, body: { object: 'signed_url', attributes: { url } } })

/** Wings refuses what leads out of a server's folder; a path that tries is a fault of what is tested. */
function within({ folder }: DoubleServer, given: string): string {
  const target = path.join(folder, given)
  if (target !== path.join(folder, '/') && !`${target}/`.startsWith(`${folder}/`))
    throw new Error(`${given} leads out`)
  return target
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true
const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
