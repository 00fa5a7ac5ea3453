/** What arranges the list, and acts on several servers: loaded when somebody first touches the list. */
export const railTools = () => import('./rail/RailTools.svelte')
