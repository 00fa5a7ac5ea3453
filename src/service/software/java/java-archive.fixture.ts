import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack, type Header } from 'tar-stream'
import { ZipFile } from 'yazl'
import { serveBytes, startFileServer, sumOf, type FileServer } from '../../../../tests/doubles/file-server.ts'

/** What stands in an archive: a text is a file. */
export type Item = Partial<Header> & { name: string; text?: string }

export async function tarGz(items: Item[]): Promise<Buffer> {
  const tar = pack()
  const packed = buffer(tar)
  for (const { text = '', ...header } of items) tar.entry(header, text)
  tar.finalize()
  return gzipSync(await packed)
}

export async function zipped(items: Item[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { name, text = '', mode = 0o644 } of items)
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else zip.addBuffer(Buffer.from(text), name, { mode: 0o100000 | mode })
  zip.end()
  return buffer(zip.outputStream)
}

/** A Java in the form of Adoptium's archives, whose program only says which it is. */
export function javaItems(
  version: string,
  top = `jdk-${version}+11-jre`,
  below = '',
  program = 'java',
  architecture = '',
): Item[] {
  const home = `${top}/${below}`
  const arch = architecture && `OS_ARCH="${architecture}"\n`
  return [
    { name: `${top}/`, type: 'directory', mode: 0o755 },
    { name: `${home}release`, text: `IMPLEMENTOR="Eclipse Adoptium"\nJAVA_VERSION="${version}"\n${arch}` },
    { name: `${home}bin/${program}`, mode: 0o755, text: `#!/bin/sh\necho "Java ${version}" "$@"\n` },
    { name: `${home}legal/java.base/LICENSE`, mode: 0o444, text: 'a license' },
  ]
}

/** What a catalog in the form of Adoptium offers: archives by `{major}/{os}/{architecture}/{image}`. */
export type ArchiveCatalog = Record<
  string,
  { name: string; archive: Buffer; checksum?: string | null; link?: string }
>

/** The versions that are kept up for years. */
const LASTING = [8, 11, 17, 21, 25]

/** A server on loopback that answers as Adoptium does (`/v3/assets/latest/…`, `/v3/info/…`), and has the archives too. */
export async function startAdoptium(offered: ArchiveCatalog): Promise<FileServer> {
  const server = await startFileServer((request, response) => {
    const url = new URL(request.url ?? '', server.url)
    const wanted = Object.entries(offered)
    const archive = wanted.find(([, { name }]) => url.pathname === `/archives/${name}`)
    if (archive) return serveBytes(request, response, archive[1].archive)
    const json = (answer: object) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (url.pathname === '/v3/info/available_releases')
      return json({ available_lts_releases: LASTING, most_recent_lts: 25, most_recent_feature_release: 26 })
    const [, major] = /^\/v3\/assets\/latest\/(\d+)\/hotspot$/.exec(url.pathname) ?? []
    const { os, architecture, image_type: image } = Object.fromEntries(url.searchParams)
    const key = [major, os, architecture, image].join('/')
    const assets = wanted
      .filter(([one]) => one === key)
      .map(([, { name, archive, checksum = sumOf(archive).value, link }]) => ({
        release_name: `jdk-${major}.0.5+11`,
        release_link: 'https://example.org/releases',
        vendor: 'eclipse',
        version: { build: 11, major: Number(major), minor: 0, security: 5, semver: `${major}.0.5+11.0.LTS` },
        binary: {
          architecture,
          image_type: image,
          jvm_impl: 'hotspot',
          os,
          package: {
            name,
            link: link ?? `${server.url}/archives/${encodeURIComponent(name)}`,
            size: archive.length,
            checksum,
            checksum_link: `${server.url}/archives/${name}.sha256.txt`,
            download_count: 1,
          },
        },
      }))
    json(assets)
  })
  return server
}
