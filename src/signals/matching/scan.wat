;; How alike many vectors of bytes are to one: the inner loop of the search over the whole catalogue.
;; Compiled to scan.wasm by scripts/build-scan.mjs.
(module
  (memory (export "memory") 1)
  ;; Writes count floats to $out: the products of the rows at $rows, of $blocks times 16 signed bytes
  ;; each, with the row of 16-bit numbers at $query, times each row's float at $worths.
  (func (export "scan")
    (param $rows i32) (param $worths i32) (param $count i32)
    (param $query i32) (param $blocks i32) (param $out i32)
    (local $left i32) (local $q i32) (local $bytes v128) (local $sum v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $left (local.get $blocks))
        (local.set $q (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $next_block
          (local.set $bytes (v128.load (local.get $rows)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s
                (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $q)))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $q))))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br_if $next_block (local.get $left)))
        (f32.store (local.get $out)
          (f32.mul
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
            (f32.load (local.get $worths))))
        (local.set $worths (i32.add (local.get $worths) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next_row)))))
