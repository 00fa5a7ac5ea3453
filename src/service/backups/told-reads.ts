/** What readers of a server's events have to read again. */
export const OLD_LIST = ['backups.list'] as const
