import type { Component } from 'svelte'

/** What can be chosen in a menu. */
export interface MenuItem {
  label: string
  icon?: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  danger?: boolean
  /** Why it cannot be chosen now; it is read out with the name. */
  reason?: string | null
  choose: () => void
}

/** How the box of a menu looks. */
export const menuBox = 'border-line bg-raised shadow-raised z-50 min-w-44 rounded-lg border p-1 outline-none'
