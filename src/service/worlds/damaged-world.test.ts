import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { levelDat } from '../../../tests/fixtures/moved-server.ts'
import { openTestFiles } from '../files/files.fixture.ts'
import { damagedRegions, restorableLevel } from './damaged-world.ts'

const SECTOR = 4096
const AT = { x: 12, z: -7 }
const SIGNAL = new AbortController().signal
const NBT = Buffer.from([10, 0, 0, 0])

/** A region file with one chunk at 12, -7, as Minecraft writes it. */
function region(packing = 2, data = packing === 1 ? gzipSync(NBT) : deflateSync(NBT)): Buffer {
  const bytes = Buffer.alloc(3 * SECTOR)
  bytes.writeUInt32BE((2 << 8) | 1, (12 + 25 * 32) * 4)
  bytes.writeUInt32BE(data.length + 1, 2 * SECTOR)
  bytes.writeUInt8(packing, 2 * SECTOR + 4)
  data.copy(bytes, 2 * SECTOR + 5)
  return bytes
}

async function worldOf(entries: Record<string, Buffer | string>) {
  const { files, root } = await openTestFiles()
  for (const [name, content] of Object.entries(entries)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true })
    await writeFile(path.join(root, name), content)
  }
  return { files, root }
}
const damaged = async (entries: Record<string, Buffer | string>) =>
  damagedRegions((await worldOf(entries)).files, AT, SIGNAL)

it('a region file is damaged where the chunk it names cannot be read, in every dimension, and in no other way', async () => {
  const NAME = 'r.0.-1.mca'
  const far = Buffer.from(region())
  far.writeUInt32BE((900 << 8) | 1, (12 + 25 * 32) * 4)
  const long = Buffer.from(region())
  long.writeUInt32BE(5000, 2 * SECTOR)
  expect(
    await damaged({
      'server.properties': 'level-name=my world\n',
      [`my world/region/${NAME}`]: 'torn',
      [`my world/entities/${NAME}`]: region(),
      [`my world/poi/${NAME}`]: '',
      [`my world/DIM-1/region/${NAME}`]: region(2, Buffer.from('not packed')),
      [`my world/DIM1/region/${NAME}`]: region(1),
      [`my world/dimensions/minecraft/overworld/region/${NAME}`]: far,
      [`my world/dimensions/a/b/region/${NAME}`]: long,
      [`my world/dimensions/file`]: 'no folder',
      [`my world_nether/DIM-1/region/${NAME}`]: region(4, Buffer.from('lz4')),
      [`world/region/${NAME}`]: 'of another world',
      // Of another chunk.
      [`my world/region/r.0.0.mca`]: 'torn',
    }),
  ).toEqual([
    `my world/region/${NAME}`,
    `my world/DIM-1/region/${NAME}`,
    `my world/dimensions/a/b/region/${NAME}`,
    `my world/dimensions/minecraft/overworld/region/${NAME}`,
  ])
})

it('a chunk that its region file does not have is not damaged, and one that claims more than there is is', async () => {
  expect(await damaged({ 'world/region/r.0.-1.mca': Buffer.alloc(2 * SECTOR) })).toEqual([])
  expect(await damaged({ 'world/region/r.0.-1.mca': region().subarray(0, 2 * SECTOR + 8) })).toHaveLength(1)
  expect(await damaged({ 'world/region/r.0.-1.mca': region(0) })).toHaveLength(1)
})

it('the older level.dat is offered where the newer is damaged and it is whole itself', async () => {
  const level = async (now: Buffer | string, old?: Buffer | string) => {
    const entries = { 'world/level.dat': now, ...(old !== undefined && { 'world/level.dat_old': old }) }
    return restorableLevel((await worldOf(entries)).files)
  }
  const whole = levelDat('1.20.4')
  expect(await level('torn', whole)).toBe('world/level.dat')
  expect(await level(whole, whole)).toBeNull()
  expect(await level('torn')).toBeNull()
  expect(await level('torn', 'torn too')).toBeNull()
  expect(await level('torn', whole.subarray(0, 20))).toBeNull()
  expect(await level('torn', gzipSync('no data of the game'))).toBeNull()
  // Nobody looks into one as large as this.
  expect(await level(Buffer.alloc(2 * 1024 * 1024 + 1), whole)).toBeNull()
})

it('what a link leads to outside the folder is no older level.dat', async () => {
  const { files, root } = await worldOf({ 'world/level.dat': 'torn' })
  const other = await worldOf({ secret: levelDat('1.20.4') })
  await symlink(path.join(other.root, 'secret'), path.join(root, 'world', 'level.dat_old'))
  expect(await restorableLevel(files)).toBeNull()
})

it('a chunk without a byte is damaged, and one that is damaged takes little of what may be looked at', async () => {
  const inflated = deflateSync(Buffer.concat([NBT, Buffer.alloc(3_000_000)]))
  const torn = region(2, inflated.subarray(0, inflated.length - 5))
  const many = Array.from({ length: 15 }, (_, at) => [`world/dimensions/a/d${at}/region/r.0.-1.mca`, torn])
  const all = { ...Object.fromEntries(many), 'world/region/r.0.-1.mca': region(2, Buffer.alloc(0)) }
  expect(await damaged(all)).toHaveLength(16)
})

it('of very many damaged files some are named, and nothing is looked at for who does not wait', async () => {
  const many = Array.from({ length: 30 }, (_, at) => [`world/dimensions/a/d${at}/region/r.0.-1.mca`, 'torn'])
  const { files } = await worldOf(Object.fromEntries(many) as Record<string, string>)
  expect(await damagedRegions(files, AT, SIGNAL)).toHaveLength(20)
  await expect(damagedRegions(files, AT, AbortSignal.abort())).rejects.toThrow(/abort/)
})
