import type { ScriptAccess } from '../http/script-access.ts'

/** Pages are for people; a program reads /openapi.json. */
export const docsScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/docs(?:\/|$)/, openTo: 'nobody' }]
