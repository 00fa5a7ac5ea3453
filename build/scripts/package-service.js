// @ts-check
// npm run package:service [-- FOLDER]: a tarball of the hosting service alone, for a server without a desktop, and its checksum.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { builtFiles, packageFolders } from '../packaging/service-files.js'
import { at, main, root, say } from './project.js'
import { buildStale } from './stale.js'

/** Of packages: what only their own makers need. Further within, a folder of such a name can hold what runs. */
const unneeded =
  /^(docs?|examples?|benchmark|\.github)\/|(^|\/)(test|tests|__tests__)\/|\.(md|markdown|map|ts|mts|cts|flow)$|(^|\/)node_modules\//

/** Pages for those who run a service. */
const pages = [
  'headless',
  ...['service', 'service-settings', 'service-mail', 'service-operations', 'service-limits', 'reverse-proxy'],
  ...['kept-files', 'google', 'promocodes'],
]

/** Every file below a folder, with `/`, in one order on every system. @param {string} folder @returns {Promise<string[]>} */
async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}

/** What the package holds: name in it → file of the project. */
async function contents() {
  /** @type {Map<string, string>} */
  const all = new Map()
  const { files, packages: named } = await builtFiles(at('out/main'))
  // What reads like an import in a text is none: bundles leave out nothing but these.
  const { dependencies } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const packages = named.filter((name) => name in dependencies)
  for (const name of files) all.set(`out/main/${name}`, at('out/main', name))
  for (const folder of await packageFolders(root, packages, []))
    for (const name of await filesBelow(at(folder)))
      if (!unneeded.test(name)) all.set(`${folder.split(path.sep).join('/')}/${name}`, at(folder, name))
  for (const name of ['wheelhouse-service', 'wheelhouse-service.service', 'Dockerfile'])
    all.set(name, at('build/service-package', name))
  all.set('LICENSE', at('LICENSE'))
  all.set('README.md', at('build/service-package/README.md'))
  for (const name of pages) all.set(`docs/${name}.md`, at('docs', `${name}.md`))
  return all
}

await main(async () => {
  await buildStale()
  const folder = path.resolve(process.argv[2] ?? at('dist'))
  await mkdir(folder, { recursive: true })
  const { version, type } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const name = `wheelhouse-service-${version}`
  const archive = path.join(folder, `${name}.tar.gz`)
  const pack = tar.pack()
  // The same files make the same archive, whoever builds it and when.
  const always = { mtime: new Date(0), uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const writing = pipeline(pack, createGzip({ level: 9 }), createWriteStream(`${archive}.new`))
  const about = JSON.stringify({ name: 'wheelhouse-service', version, type, private: true }, null, 2)
  pack.entry({ name: `${name}/package.json`, mode: 0o644, ...always }, `${about}\n`)
  for (const [inside, file] of [...(await contents())].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { size } = await stat(file)
    const mode = inside === 'wheelhouse-service' ? 0o755 : 0o644
    await pipeline(createReadStream(file), pack.entry({ name: `${name}/${inside}`, size, mode, ...always }))
  }
  pack.finalize()
  await writing
  const hash = createHash('sha256')
  for await (const piece of createReadStream(`${archive}.new`)) hash.update(piece)
  await rename(`${archive}.new`, archive)
  await writeFile(`${archive}.sha256`, `${hash.digest('hex')}  ${path.basename(archive)}\n`)
  say(archive)
  return 0
})
