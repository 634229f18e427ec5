//! Where the demands of trunks form rings: which nets get a second trunk.

use super::nets::{Kind, Net, RowBook};
use super::trunks::{Demands, Trunk};

/// A net that was split, and whether the row that joins its trunks was made for that.
struct Split {
    net: usize,
    new_row: bool,
}

/// Splits nets until no demands form a ring, and none that need not be: a split is a detour for the
/// eye, and one that came first may be of no use any more after a later one.
pub(super) fn untie(nets: &mut [Net], row: &[i64], book: &mut RowBook<'_>) {
    let mut splits = Vec::new();
    loop {
        let demands = Demands::of(nets, row);
        let ring = demands.ring();
        if ring.is_empty() {
            break;
        }
        splits.push(split_one(nets, &demands.trunks, &ring, book));
    }
    if splits.len() > MOST_TRIED {
        return;
    }
    for Split { net, new_row } in splits {
        let Some(joint) = nets[net].split.take() else {
            continue;
        };
        if !Demands::of(nets, row).ring().is_empty() {
            nets[net].split = Some(joint);
            continue;
        }
        book.taken.remove(&joint);
        if new_row {
            book.all.remove(&joint);
        }
    }
}

/// Gaps with more splits than this are too dense for one detour more or less to be seen.
const MOST_TRIED: usize = 40;

/// Splits the net on the ring that is cheapest to split.
fn split_one(nets: &mut [Net], trunks: &[Trunk], ring: &[u32], book: &mut RowBook<'_>) -> Split {
    let splittable = |t: &&u32| {
        let net = &nets[trunks[**t as usize].net as usize];
        net.split.is_none() && !matches!(net.kind, Kind::BackOut | Kind::BackIn)
    };
    let price = |t: &&u32| {
        let trunk = &trunks[**t as usize];
        let (low, high) = trunk.span();
        let blank = book
            .all
            .range(low..=high)
            .any(|row| !book.taken.contains(row));
        (
            !blank,
            trunk.left.len().min(trunk.right.len()),
            trunk.left.len() + trunk.right.len(),
            **t,
        )
    };
    let chosen = ring.iter().filter(splittable).min_by_key(price);
    let chosen =
        *chosen.expect("a ring always holds a net with one trunk: split nets meet every demand");
    let trunk = &trunks[chosen as usize];
    let (low, high) = trunk.span();
    let lone = if trunk.left.len() <= trunk.right.len() {
        trunk.left[0]
    } else {
        trunk.right[0]
    };
    let rows = book.all.len();
    nets[trunk.net as usize].split = Some(book.bridge(lone, low, high));
    Split {
        net: trunk.net as usize,
        new_row: book.all.len() > rows,
    }
}
