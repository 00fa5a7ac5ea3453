import { SvelteSet } from 'svelte/reactivity'

/** Ids of servers that are being moved in: files are sent to them, and they are in no list of servers yet. */
export const movingIn = new SvelteSet<string>()
