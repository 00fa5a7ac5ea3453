import { expect, test } from 'vitest'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { extensionCatalogs } from './catalogs.fixture.ts'
import { PICTURE_MOST } from './pictures.ts'
import { isAmong } from './places.ts'

const PLACES = { name: 'Modrinth', hosts: ['cdn.modrinth.com'], base: 'http://127.0.0.1:1234/modrinth' }

test.for([
  ['https://cdn.modrinth.com/data/a/icon.png', true],
  ['http://127.0.0.1:1234/modrinth/icon.png', true],
  ['http://cdn.modrinth.com/data/a/icon.png', false],
  ['https://cdn.modrinth.com:8443/icon.png', false],
  ['https://cdn.modrinth.com.evil.example/icon.png', false],
  ['https://me@cdn.modrinth.com/icon.png', false],
  ['http://127.0.0.1:80/icon.png', false],
  ['https://192.168.0.1/icon.png', false],
  ['file:///etc/passwd', false],
  ['data:image/png;base64,AAAA', false],
  ['', false],
  [null, false],
] as const)('a picture at %s: %s', ([address, shown]) => expect(isAmong(address, PLACES)).toBe(shown))

const begun = (begin: string, bytes = 100) =>
  Buffer.concat([Buffer.from(begin, 'latin1'), Buffer.alloc(bytes)])

test.for([
  ['a PNG', begun('\x89PNG\r\n\x1a\n'), 'image/png'],
  ['a JPEG', begun('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['a WebP', begun('RIFF\x01\x02\x03\x04WEBPVP8 '), 'image/webp'],
  ['a GIF', begun('GIF89a'), 'image/gif'],
  ['one as large as may be', begun('GIF89a', PICTURE_MOST - 6), 'image/gif'],
  ['one that is larger', begun('GIF89a', PICTURE_MOST), null],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ['a page', Buffer.from('<html>'), null],
  ['nothing', Buffer.alloc(0), null],
] as const)('%s', async ([, picture, type]) => {
  for (const catalog of ['modrinth', 'hangar'] as const) {
    const { offered, catalogs, signal } = await extensionCatalogs()
    const { id } = await offered.offer({ catalog, name: 'Shop', picture, versions: [] })
    const shown = await catalogs.of(id).icon(id, signal)
    expect(shown && { type: shown.type, bytes: Buffer.from(shown.bytes) }).toEqual(
      type && { type, bytes: picture },
    )
  }
})

test('is not asked for elsewhere, and no redirect leads there', async () => {
  const elsewhere = await CatalogServer.start()
  const { offered, catalogs, server, signal, search } = await extensionCatalogs()
  const picture = elsewhere.put('/secret.png', begun('\x89PNG\r\n\x1a\n'))
  const { id } = await offered.offer({ catalog: 'modrinth', name: 'Shop', picture, versions: [] })
  expect((await search('shop')).items[0]!.hasIcon).toBe(false)
  expect(await catalogs.of(id).icon(id, signal)).toBeNull()
  const moved = await offered.offer({ catalog: 'modrinth', name: 'Moved', versions: [] })
  for (const location of [picture, 'https://elsewhere.example/a.png']) {
    const mend = server.fail('/modrinth/pictures/', { kind: 'status', status: 302, headers: { location } })
    expect(await catalogs.of(moved.id).icon(moved.id, signal)).toBeNull()
    mend()
  }
  expect(elsewhere.requests).toEqual([])
  await elsewhere.stop()
})

test('is told by a search, fetched once, and where it cannot be, that is said', async () => {
  const { offered, catalogs, server, signal, search } = await extensionCatalogs()
  const { id, pictureUrl } = await offered.offer({ catalog: 'hangar', name: 'Shop', versions: [] })
  await search('shop')
  const icon = () => catalogs.of(id).icon(id, signal)
  const mend = server.fail('/hangar/pictures/', { kind: 'status', status: 500 })
  await expect(icon()).rejects.toMatchObject({ status: 503 })
  mend()
  const count = server.requests.length
  expect(await icon()).toEqual(await icon())
  expect(server.requests.slice(count).map(({ path }) => server.origin + path)).toEqual([pictureUrl])
  const none = await offered.offer({ catalog: 'hangar', name: 'None', picture: null, versions: [] })
  expect(await catalogs.of(none.id).icon(none.id, signal)).toBeNull()
})
