import { access, extensions, players, software } from '../features/areas/index.ts'
import { console } from '../features/console/index.ts'
import { files } from '../features/files/index.ts'
import { overview } from '../features/overview/index.ts'
import { settings } from '../features/settings/index.ts'

/** The areas of a server in the order of their tabs. Tabs, their keys, the palette and the page come from here. */
export const features = [overview, console, files, players, software, extensions, access, settings] as const

export type Tab = (typeof features)[number]['tab']
export const tabs: readonly Tab[] = features.map(({ tab }) => tab)
