const GROUP = 'group:'

/** Whether a folder stands for a group of the service. */
export const isGroupFolder = (id: string): boolean => id.startsWith(GROUP)

/** The folder that servers of a group of the service are shown in, until a person puts them elsewhere. */
export const groupFolder = (group: string): string => `${GROUP}${group.slice(0, 150)}`
