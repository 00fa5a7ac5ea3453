import { describe, expect, it } from 'vitest'
import { readDrop, readEntries } from './read-dropped.ts'

const AT_ONCE = 100

/** A folder as a browser gives it: a hundred entries at a time. */
function folderOf(name: string, children: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    let at = 0
    return {
      readEntries: (take: (some: FileSystemEntry[]) => void) => {
        const some = children.slice(at, at + AT_ONCE)
        at += AT_ONCE
        queueMicrotask(() => take(some))
      },
    }
  }
  return { isFile: false, isDirectory: true, name, createReader } as unknown as FileSystemEntry
}

function fileOf(name: string): FileSystemEntry {
  const file = (take: (file: File) => void) => queueMicrotask(() => take(new File([name], name)))
  return { isFile: true, isDirectory: false, name, file } as unknown as FileSystemEntry
}

describe('what is dropped', () => {
  it('is read to the last of many entries', async () => {
    const many = Array.from({ length: 1234 }, (_, index) => fileOf(`${index}.mca`))
    const { files, folders } = await readEntries([folderOf('region', many)])
    expect(files).toHaveLength(1234)
    expect(files.at(-1)?.path).toBe('region/1233.mca')
    expect(folders).toEqual([])
  })

  it('keeps folders within folders, and those that are empty', async () => {
    const world = folderOf('世界', [
      fileOf('level.dat'),
      folderOf('datapacks', []),
      folderOf('region', [folderOf('leer', []), fileOf('r.0.0.mca')]),
    ])
    const { files, folders } = await readEntries([world, fileOf('motd.txt')])
    expect(files.map((one) => one.path)).toEqual(['世界/level.dat', '世界/region/r.0.0.mca', 'motd.txt'])
    expect(folders).toEqual(['世界/datapacks', '世界/region/leer'])
  })

  it('fails as a whole where a part cannot be read, so that nothing is missing in silence', async () => {
    const unreadable = {
      isFile: true,
      name: 'x',
      file: (_: unknown, fail: (reason: Error) => void) => fail(new Error('It cannot be read.')),
    } as unknown as FileSystemEntry
    await expect(readEntries([folderOf('a', [unreadable])])).rejects.toThrow('It cannot be read.')
  })

  it('takes files from a drag of the browser', async () => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['hi'], 'motd.txt'))
    transfer.items.add('some words', 'text/plain')
    const { files } = await readDrop(transfer)
    expect(files.map((one) => one.path)).toEqual(['motd.txt'])
  })
})
