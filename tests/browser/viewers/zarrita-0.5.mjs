/** zarrita 0.5 as npm has it. */
export * from "zarrita-0.5";
