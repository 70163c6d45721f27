import { PASSES } from '../../../protocol/problem';
import type { Page } from '../../page';
import { PassAlgorithms } from './PassAlgorithms';
import { VARIANTS } from './words';

/** Who computed what is on the stage, in what time, and who else could have. */
export function AllPasses({ page: { store, status } }: { readonly page: Pick<Page, 'store' | 'status'> }) {
  const result = store.shown.value?.result;
  const { algorithms: forced } = store.problem.value;
  const draft = store.draft.value;
  const { variant } = status.value;
  if (!result) return null;
  return (
    <>
      {PASSES.map((pass) => {
        const [run, algorithms] = [result.runs[pass], result.algorithms[pass]];
        return (
          run &&
          algorithms && (
            <PassAlgorithms
              key={pass}
              pass={pass}
              run={run}
              algorithms={algorithms}
              forced={forced[pass] ?? null}
              refusal={draft?.field === pass ? draft.error.message : null}
              onChoose={(name) => store.setAlgorithm(pass, name)}
            />
          )
        );
      })}
      <div class="algorithms__key">
        <p>
          Costs are the library’s estimates for this problem on one thread. Extra memory is what an algorithm takes
          besides the tensors.
        </p>
        <p>
          Rounding: no value is further from the exact one than this part of its own sum, taken without signs: the sizes
          of its products and of its bias, added up. Winograd’s transforms also add products that are not the value’s
          own and take them away again; what is lost on the way is a part of the largest possible sum: as many products
          as the value has, all of the largest numbers that there are, and the largest bias.
        </p>
        {variant && <p>{VARIANTS[variant]}.</p>}
      </div>
    </>
  );
}
