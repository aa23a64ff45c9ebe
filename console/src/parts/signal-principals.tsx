// The choice of a principal whose view of the signals is displayed. Without one it is the view of the operator, who
// sees everything.

import { useData } from '../api/use-data.ts'
import { Choice } from './filters.tsx'

export function useChoices() {
  return useData('GET /signal-choices', {}, [])
}

export function AsPrincipal() {
  const { value: choices, isLoading } = useChoices()
  const principals = choices?.principals ?? []
  return (
    <Choice
      label="As seen by"
      name="as"
      isLoading={isLoading}
      options={[
        ['', 'As the operator: everything'],
        ...principals.map(({ principal_id, name }) => [principal_id, `As ${name}`] as const),
      ]}
    />
  )
}
