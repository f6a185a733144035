import type { Language } from './farm.ts'

export const languages: readonly Language[] = [{ language: 'en', name: 'English', native: 'English', direction: 0 }]
