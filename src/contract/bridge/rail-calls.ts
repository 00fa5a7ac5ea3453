import { z } from 'zod'
import { isNameLine } from '../messages/one-line.ts'
import {
  FOLDER_NAME_MOST,
  FOLDERS_MOST,
  ICON_MOST,
  PLACES_MOST,
  type Rail,
  RAIL_COLORS,
  type RailArrangement,
} from '../rules/rail/rail.ts'
import { call, connection, Id } from './call.ts'

const line = (most: number) => z.string().trim().min(1).max(most).refine(isNameLine)

const Folder = z.object({
  id: Id,
  name: line(FOLDER_NAME_MOST),
  collapsed: z.boolean(),
  servers: z.array(Id).max(PLACES_MOST),
})

const Mark = z.object({
  serverId: Id,
  color: z.enum(RAIL_COLORS).nullable(),
  icon: line(ICON_MOST).nullable(),
})

/** Each server appears in one place and has at most one mark. */
export const Arrangement = z
  .object({
    loose: z.array(Id).max(PLACES_MOST),
    folders: z.array(Folder).max(FOLDERS_MOST),
    marks: z.array(Mark).max(PLACES_MOST),
  })
  .refine(isOrdered) satisfies z.ZodType<RailArrangement>

function isOrdered({ loose, folders, marks }: RailArrangement): boolean {
  const places = [loose, ...folders.map(({ servers }) => servers)].flat()
  const alone = [places, folders.map(({ id }) => id), marks.map(({ serverId }) => serverId)]
  return places.length <= PLACES_MOST && alone.every((ids) => new Set(ids).size === ids.length)
}

export const railCalls = {
  'rail.read': call<Rail[]>().of(z.undefined()),
  /** `base`: revision to replace, null if none yet. Problem `changed`: another window was faster; read and reapply. */
  'rail.arrange': call<Rail>().of(
    connection.extend({ base: z.string().max(100).nullable(), arrangement: Arrangement }),
  ),
}
