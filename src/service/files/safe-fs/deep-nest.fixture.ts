import { TreeCursor } from './descent.ts'
import { makeIn, openRoot } from './opened-folder.ts'
import type { DiskPath } from '../names/raw-names.ts'

/** Makes folders in each other, so many, in a folder of the system: deeper than any path of the system can lead. */
export function makeNest(
  folder: string,
  depth: number,
  name = 'd',
  made: (at: DiskPath) => void = () => {},
): void {
  using top = openRoot(folder)
  using place = new TreeCursor(top)
  for (let at = 0; at < depth; at++) {
    makeIn(place.here, name)
    made(place.here.at(name))
    place.enter(name)
  }
}
