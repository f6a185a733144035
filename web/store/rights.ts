import { me } from './copy.ts'

/** Whether this account may record, change and remove. */
export const mayWrite = (): boolean => me.value?.rights.includes('write-records') ?? false
