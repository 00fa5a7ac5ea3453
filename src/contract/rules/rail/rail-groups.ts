const GROUP = 'group:'

export const isGroupFolder = (id: string): boolean => id.startsWith(GROUP)

export const groupFolder = (group: string): string => `${GROUP}${group.slice(0, 150)}`
