import { fileURLToPath } from 'node:url'

/** The flood program; `WHEELHOUSE_SCRIPT` offers it as software. */
export const FLOOD = fileURLToPath(new URL('./flood.ts', import.meta.url))
