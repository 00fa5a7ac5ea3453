const GROUP = 'group:'

export const isGroupFolder = (id: string): boolean => id.startsWith(GROUP)

/** Default folder for servers of a service's group. */
export const groupFolder = (group: string): string => `${GROUP}${group.slice(0, 150)}`
