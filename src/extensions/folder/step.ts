import { z } from 'zod'

/** Folders of one server, all on one disk. In the trash, the path is an item's id. */
const FolderPath = z.object({ folder: z.enum(['server', 'staged', 'trash', 'copies']), path: z.string() })
export type FolderPath = z.output<typeof FolderPath>

/** Moves a file or folder. `mark` identifies it; `size` is in bytes. `item`: index of the item it belongs to, if kept. */
export const Step = z.object({
  ...{ from: FolderPath, to: FolderPath, mark: z.string(), size: z.number() },
  item: z.number().optional(),
})
export type Step = z.output<typeof Step>

export const inServer = (at: string): FolderPath => ({ folder: 'server', path: at })
export const staged = (name: string): FolderPath => ({ folder: 'staged', path: name })
export const trashed = (id: string): FolderPath => ({ folder: 'trash', path: id })
export const inCopies = (...names: string[]): FolderPath => ({ folder: 'copies', path: names.join('/') })
