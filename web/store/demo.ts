/** What a tab notes that shows the demo farm. */
export const noteOfDemo = 'furrow-demo'

/** Whether this tab shows the demo farm, where nothing is asked of the server. */
export const inDemo = (): boolean => globalThis.sessionStorage?.getItem(noteOfDemo) != null
