import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { Columns } from './columns.tsx'
import { sayAndCheck } from './import-it.ts'
import { MapPreview, MapProblems } from './map-preview.tsx'
import { Options } from './options.tsx'
import { answersIn, nameOf, type Question } from './readings.ts'
import { say } from './say.ts'
import { sheetFindings } from './sheet-findings.ts'
import { SheetPreview } from './sheet-preview.tsx'
import { checked, failure, source } from './state.ts'

/** What the farm has found in it, in the order in which one deals with it. */
export function Findings(): JSX.Element {
  const found = checked.value
  const told = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found !== null || failure.value?.status === 422) told.current?.focus()
  }, [found, failure.value])
  return (
    <div ref={told} tabIndex={-1}>
      {found?.of === 'sheet' && <OfSheet sheet={found.sheet} />}
      {found?.of === 'map' && <MapPreview map={found.map} />}
      <AskedInRefusal />
      {source.value?.format !== 'sheet' && <MapProblems errors={failure.value?.errors ?? []} />}
      <Options />
    </div>
  )
}

function OfSheet({ sheet }: { readonly sheet: Extract<typeof checked.value, { of: 'sheet' }>['sheet'] }): JSX.Element {
  const findings = sheetFindings(sheet)
  return (
    <>
      {findings.questions.map(({ fault, answers }) => (
        <Asked key={fault.column} words={wordsOf({ fault, answers })} answers={answers} />
      ))}
      <Columns columns={findings.columns} />
      <SheetPreview sheet={sheet} findings={findings} />
    </>
  )
}

function wordsOf({ fault, answers: [first] }: Question): string {
  const { value } = fault
  const row = String(fault.row)
  if (first === undefined || nameOf(first) !== 'done') return say('import.question', { ...fault, row })
  return value === '' ? say('import.question.harvest', { row }) : say('import.question.plan', { value })
}

/** What has to be known before the farm can read it at all. */
function AskedInRefusal(): JSX.Element {
  const asked = (failure.value?.errors ?? []) as readonly { allowed?: readonly string[]; message: string }[]
  return (
    <>
      {asked.flatMap(({ allowed = [], message }) => {
        const answers = answersIn(allowed)
        const [first] = answers
        if (first === undefined) return []
        const words =
          first === 'far=ok'
            ? say('import.question.far', { place: message.replace(/^.* at /, '') })
            : say('import.question.sep')
        return [<Asked key={first} words={words} answers={answers} />]
      })}
    </>
  )
}

function Asked({ words, answers }: { readonly words: string; readonly answers: Question['answers'] }): JSX.Element {
  return (
    <fieldset class="words">
      <legend>{words}</legend>
      <div class="options">
        {answers.map((one) => (
          <Chip key={one} onPress={() => sayAndCheck(one)}>
            {say(`import.say.${one}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}
