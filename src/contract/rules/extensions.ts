/** As Modrinth names them; `null` is what Hangar has none of. */
const HANGAR_CATEGORIES = {
  adventure: 'role_playing',
  decoration: null,
  economy: 'economy',
  equipment: null,
  'game-mechanics': 'gameplay',
  library: 'dev_tools',
  magic: null,
  management: 'admin_tools',
  minigame: 'games',
  mobs: null,
  optimization: null,
  social: 'chat',
  storage: null,
  technology: null,
  transportation: null,
  utility: 'misc',
  worldgen: 'world_management',
} as const
export type ExtensionCategory = keyof typeof HANGAR_CATEGORIES
export const EXTENSION_CATEGORIES = Object.keys(HANGAR_CATEGORIES) as ExtensionCategory[]

/** Null: Hangar has none. */
export const hangarCategory = (category: string): string | null =>
  (HANGAR_CATEGORIES as Partial<Record<string, string | null>>)[category] ?? null

export const PACK_CATEGORIES = [
  'adventure',
  'challenging',
  'combat',
  'kitchen-sink',
  'lightweight',
  'magic',
  'multiplayer',
  'optimization',
  'quests',
  'technology',
] as const
export type PackCategory = (typeof PACK_CATEGORIES)[number]

/** `damaged`: a broken zip. `too-slow`: too much time or memory. `not-file`: a link. `not-opened`: may work later. */
export const UNREAD_JARS = [
  'empty',
  'not-zip',
  'damaged',
  'too-large',
  'too-slow',
  'not-file',
  'not-opened',
] as const

/** Characters per kind of choice in an extension plan: more doesn't fit in a URL. */
export const PLAN_CHOICES_MOST = 5000
