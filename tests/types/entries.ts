/** What the entries of src/web export has the types that src/types declares; `tests/tsconfig.web.json` has it checked. */

import type * as answers from "../../src/types/answers.js";
import type * as access from "../../src/types/access.js";
import type * as stac from "../../src/types/stac.js";
import type * as adapters from "../../src/types/adapters.js";
import type * as healpix from "../../src/types/healpix.js";
import type * as main from "../../src/types/index.js";
import type * as levels from "../../src/types/levels.js";
import type * as sparse from "../../src/types/sparse.js";
import type * as stores from "../../src/types/stores.js";
import type * as worker from "../../src/types/worker.js";
import * as writtenAnswers from "../../src/web/answers/answers.js";
import * as writtenAccess from "../../src/web/access/access.js";
import * as writtenStac from "../../src/web/stac/stac.js";
import * as writtenAdapters from "../../src/web/adapters/adapters.js";
import * as writtenHealpix from "../../src/web/healpix/healpix.js";
import * as writtenLevels from "../../src/web/levels/levels.js";
import * as writtenLevelsInNode from "../../src/web/levels/levels-node.js";
import * as writtenMain from "../../src/web/load/index.js";
import * as writtenInline from "../../src/web/load/inline.js";
import * as writtenInNode from "../../src/web/load/node.js";
import * as writtenWorker from "../../src/web/load/worker.js";
import * as writtenSparse from "../../src/web/sparse/sparse.js";
import * as writtenStores from "../../src/web/stores/stores.js";

/** An object as every engine has it: `Symbol.dispose` is added to classes where an engine knows it. */
type Plain<T> = Omit<T, typeof Symbol.dispose>;
/** A function that opens objects, which are compared as every engine has them. */
type Opens<F extends (...all: any[]) => Promise<any>> = (...all: Parameters<F>) => Promise<Plain<Awaited<ReturnType<F>>>>;
/** Its own members: those of lists that give it again would have its `Symbol.dispose` too. */
type Own = "at" | Exclude<keyof levels.Levels, keyof unknown[] | symbol>;
type Scene = Omit<Plain<levels.Scene>, "levels"> & { levels(...all: Parameters<levels.Scene["levels"]>): Promise<Pick<levels.Levels, Own>> };
type Levels = {
  Levels: { open(...all: Parameters<typeof levels.Levels.open>): Promise<Pick<levels.Levels, Own>> };
  scene(...all: Parameters<typeof levels.scene>): Promise<Scene>;
};

export const entries: {
  main: typeof main;
  inNode: typeof main;
  inline: typeof main;
  access: typeof access;
  answers: typeof answers;
  stac: typeof stac;
  adapters: typeof adapters;
  healpix: { healpix: Opens<typeof healpix.healpix> };
  levels: Levels;
  levelsInNode: Levels;
  sparse: { sparse: Opens<typeof sparse.sparse>; ragged: Opens<typeof sparse.ragged>; table: Opens<typeof sparse.table> };
  stores: typeof stores;
  worker: typeof worker;
} = {
  main: writtenMain,
  inNode: writtenInNode,
  inline: writtenInline,
  access: writtenAccess,
  answers: writtenAnswers,
  stac: writtenStac,
  adapters: writtenAdapters,
  healpix: writtenHealpix,
  levels: writtenLevels,
  levelsInNode: writtenLevelsInNode,
  sparse: writtenSparse,
  stores: writtenStores,
  worker: writtenWorker,
};
